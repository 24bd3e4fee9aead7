#pragma once

#include <vector>

#include "core/analysis/detectors/detector_input.h"

/// The detectors that `rule_table.cpp` lists. Each comment states when the rule reports, with which grade,
/// what the bytes of the finding are, and when the finding can be wrong. All detectors need
/// `DetectorInput::study`, except those whose rule has the trait `FromLogs`. A detector with nothing to
/// report returns no findings.
namespace highwater {

/// Rule peak-summary, a fact of grade A: the peak, its event, step and phase, its largest parts, and the
/// distance to the capacity. The peak is a lower bound if the start of the trace was lost or the file is cut
/// off.
std::vector<Finding> findPeakSummary(const DetectorInput& input);

/// Rule capture-quality, facts of grade A: no history, a lost start, a file that is cut off or contradicts
/// itself, peak bytes without a stack (grade B if totals are lower bounds), or settings with which failed
/// requests leave no event. Bytes: the affected bytes at the peak (or at the end); 0 for the settings.
std::vector<Finding> findCaptureQuality(const DetectorInput& input);

/// Rule growth, a fault: the total at the end of each step rises (`growthPerStep`). Some stacks leave memory
/// behind in nearly every step, or every few steps, up to the last ones. Grade A if those stacks do so in
/// nearly every step, account for the slope within 10%, and steps are not a guess, else B. Grade C if most of
/// the memory is weights, their gradients and optimizer state, since a growing model may be intended. Bytes:
/// memory at the peak (or at the end of the last step, if the peak has none) that was allocated in earlier
/// steps. Silent for caches that have filled up and for memory replaced from step to step. Wrong for caches
/// still filling when the trace ends, and for replay buffers that grow by design.
std::vector<Finding> findGrowth(const DetectorInput& input);

/// Rule growth for logs alone, a fault of grade B: a log reports memory (in use, reserved, or peaks so far)
/// that rises steadily by 1% or more, and at least half as fast in the last third as overall. At least ten
/// points must remain after a fifth of them is dropped as warm-up. If a run takes turns of up to eight steps,
/// each is compared with its own kind. Grade C if only four to nine points remain, all of them rise, and the
/// total rise is a tenth or more. Bytes: the rise from the first remaining point to the last. Wrong for
/// batches that get longer.
std::vector<Finding> findGrowthInLog(const DetectorInput& input);

/// Rule retained-graph, a fault of grade B: a line calls the model (forward, scoring, evaluation,
/// generation), and nearly all memory that this call left, in many blocks from many stacks, outlives the next
/// step. This must happen in at least two steps. Bytes: the part alive at the peak although its step, or a
/// backward through it, is over; the graph of the last step counts too. Wrong for pipelines with more than
/// one step in flight and for double backward.
std::vector<Finding> findRetainedGraph(const DetectorInput& input);

/// Rule unused-graph, a fault of grade B: in one phase (evaluation, a sampling loop) a line calls the model,
/// and at least two fifths of the blocks that this call allocates stay alive while the following modules run.
/// A backward follows, but frees less than a tenth of their bytes. Bytes: the part alive at the peak, or in
/// the largest such phase. Wrong if the backward comes after the recording ends.
std::vector<Finding> findUnusedGraph(const DetectorInput& input);

/// Rule still-rising, grade B: some places leave memory behind in both of the last two whole steps before the
/// final one. Reported only if rule growth finds nothing, for example because the trace has too few steps. A
/// fault from a twentieth of the peak per step on, else a fact. Bytes: the memory of those two steps that is
/// in use at the end.
std::vector<Finding> findStillRising(const DetectorInput& input);

/// Rule generation-with-gradients, a fault of grade B: in a generation phase, at least three stacks keep the
/// memory of many rounds until the phase ends, and no backward uses most of it. They must be at least half of
/// the stacks that allocate in several rounds. Bytes: the memory kept in the largest such phase. Wrong for
/// programs that keep three or more tensors per token on purpose.
std::vector<Finding> findGenerationWithGradients(const DetectorInput& input);

/// Rule oversized-logits: blocks of B·T·V elements of 16 or 32 bits take a tenth of the peak or more, and
/// their frames mention logits or their loss. A fault if more copies are alive than one loss needs, or if
/// memory ran out; else a fact. Grade A if the run's settings give V, B if a parameter has V rows (an
/// embedding or a head). Bytes: all such blocks at the peak. Misses vocabularies sharded between ranks and
/// models whose parameters are flat buffers.
std::vector<Finding> findOversizedLogits(const DetectorInput& input);

/// Rule duplicate-model, grade A: weights, or blocks made before training by neither a forward nor an
/// optimizer, have nearly the same multiset of sizes, or half those sizes, under two or more call paths. A
/// fault if one copy was read from a file and another was moved, converted or copied from it. Also a fault,
/// of grade B, if exactly one copy is a checkpoint made during training and kept. Else a fact, since the copy
/// may be a reference model, a teacher or a running average. Bytes: all copies but the one to keep. Misses
/// copies made by the same line.
std::vector<Finding> findDuplicateModel(const DetectorInput& input);

/// Rule peak-phase, a fact with the grade of the phase: the phase in which the peak is, the number of steps
/// that peak in that phase, and how much lower the other phases peak.
std::vector<Finding> findPeakPhase(const DetectorInput& input);

/// Rule stale-gradients: gradients from before a forward are alive at the highest moment of that forward.
/// Grade A if `zero_grad` frees them before a backward or an optimizer uses them. B if the optimizer has used
/// them and nothing frees them (`set_to_none=False`). C if they were allocated before recording began, and
/// either the trace ends before a backward, or they outlive a later optimizer phase to the end. A fault if
/// the run's peak would be lower without them. Otherwise not reported, except that the last case is then a
/// fact. Reported from 1% of the peak on. Bytes: those gradients in the forward with most of them.
std::vector<Finding> findStaleGradients(const DetectorInput& input);

/// Rule optimizer-state-first-step, a fact: the first optimizer phase of the trace makes the optimizer state.
/// Grade A if all sizes pair with gradients, else B. Bytes: the state added. Wrong if an earlier step, which
/// the recording misses, allocated state, or if late layers get their state later.
std::vector<Finding> findOptimizerState(const DetectorInput& input);

/// Rule steady-peak-forecast, a fact of grade B: the trace has one optimizer step, which makes the optimizer
/// state, and no backward after that step. The forecast is the peak before the optimizer plus the new state.
/// Bytes: the forecast. Wrong if later batches have another size.
std::vector<Finding> findSteadyForecast(const DetectorInput& input);

/// Rule gradient-buckets, grade B: DistributedDataParallel runs, and at the end of a backward there are
/// gradients of the parameters' sizes and about as many bytes in other gradient blocks, its buckets. A fault
/// if the peak would be notably lower without the separate gradients, else a fact. Bytes: the separate
/// gradients.
std::vector<Finding> findGradientBuckets(const DetectorInput& input);

/// Rule reserved-above-live, grade A: a quarter or more of the reserved peak was never in use at once, and
/// memory did not run out. A fault if the unused part is at least half of the reserved peak and at least 1
/// GiB. Bytes: the difference of the two peaks. In a file without a history, a fact about its only moment.
std::vector<Finding> findReservedAboveLive(const DetectorInput& input);

/// Rule device-imbalance, a fact of grade A: the GPU's peak is at least 1.5 times the mean of the other GPUs
/// in the file. Bytes: the difference.
std::vector<Finding> findDeviceImbalance(const DetectorInput& input);

/// Rules fragmentation, too-big, divided-free-memory, process-cap, reserve-too-small and out-of-memory, and
/// from messages alone above-capacity, allocation-limit, corrupt-request and not-on-device. All are faults
/// and name the cause of the last failed request (`oomVerdict`). too-big also covers a full device,
/// divided-free-memory also covers room in another pool or stream, and out-of-memory is the rule for an
/// unknown cause.
///
/// Grade A if the allocator's state is exact; B if parts of it are inferred, the free bytes are split, or the
/// limit is unknown. Without allocator state at the failure, the messages of logs are used (`readOom`): A for
/// limits and sizes, B for too big, full and unknown, C if they allow fragmentation (A if they prove it).
/// Without such messages, rule out-of-memory reports the request with grade A.
///
/// Bytes: fragmentation: the free bytes that could not serve the request; too-big: the missing bytes, if
/// known and not 0; divided-free-memory with the allocator's state: the bytes missing on the GPU for a
/// segment, or those by which the request exceeds the largest free block, whichever are fewer; not-on-device:
/// the bytes that are not on the GPU; otherwise the request. An allocator setting is recommended only if a
/// replay of the run proves that the request then fits.
std::vector<Finding> findOutOfMemory(const DetectorInput& input);

/// Rule outside-pytorch, a fault: more than 2 GiB (or a tenth of a small GPU) is in use on the device but not
/// reserved by this process's allocator. A fact if that memory belongs to this process, or if no request
/// failed. Not reported if the device had room for the failed request.
///
/// Grade A from an out-of-memory event with a known capacity, or from a log message, which may name the
/// processes to end. Grade B if the message lists other processes but lacks the device's totals. Grade B (C
/// if the time zone is a guess) from the value of a sampled series or a driver trace at the peak. Wrong for
/// partitioned GPUs (MIG).
std::vector<Finding> findOutsidePyTorch(const DetectorInput& input);

/// Rule inconsistent-oom-text, a fact of grade A: figures of one message that contradict each other
/// (`readOom`). Bytes: the largest excess of the bytes in use over the capacity, else the request.
std::vector<Finding> findInconsistentOomText(const DetectorInput& input);

/// Rule host-out-of-memory, a fault of grade A: the kernel, a batch system, a container, Ray or a host
/// allocator reports that the machine's memory, or /dev/shm, ran out. Bytes: the memory of the process or the
/// request, the larger one; 0 if the log gives neither.
std::vector<Finding> findHostOutOfMemory(const DetectorInput& input);

/// Rules driver-out-of-memory and engine-no-room, faults of grade B: a library or the driver found no room on
/// the device, or an inference engine found none within its share. Rule unclear-failure, a fault of grade C:
/// a process was killed for an unknown reason, or an allocation failed in unknown memory. Rule other-failure,
/// a fact of grade A: the run failed for a reason other than memory. Bytes: the request; 0 if the log does
/// not give it.
std::vector<Finding> findOtherFailuresInLog(const DetectorInput& input);

/// Rule allocator-retries, a fault of grade B: a log counts allocator retries, survived failures or cache
/// flushes. Rule memory-warning, grade B: other warnings about memory; a fact for a setting that has no
/// effect, else a fault. Bytes: for the first rule the most reserved memory that the log reports, for the
/// second 0.
std::vector<Finding> findAllocatorWarnings(const DetectorInput& input);

/// Rule settings-advice: a replay with another allocator setting (`lastingAdvice`) makes a failed request fit
/// with room for what follows, or lowers the reserved peak by more than 2%. A fault if the request fits or
/// the device was nearly full; else a fact, from a tenth of the reserved peak on. Grade B if the replay of
/// the recorded settings is exact, else C. Bytes: the request, or the reserved memory saved. Wrong if another
/// PyTorch release's allocator follows other rules.
std::vector<Finding> findSettingsAdvice(const DetectorInput& input);

/// Rule settings-not-effective, a fact of grade A: allocator options that a log of the run (or the snapshot's
/// own text) sets but that are absent from the effective settings in the snapshot. Bytes: reserved at the
/// peak. Wrong if the log is of another process.
std::vector<Finding> findIneffectiveSettings(const DetectorInput& input);

/// Rule padded-to-maximum, a fault: at least four blocks of one size at the peak hold B sequences of the
/// longest length that the model accepts. All logits of the run are at least a quarter shorter. Grade C; B if
/// the run's settings give the batch and length of the logits. Bytes: the difference at the peak. Wrong for
/// packed sequences, static shapes, and logits of only some of the tokens.
std::vector<Finding> findPaddedToMaximum(const DetectorInput& input);

/// Rule attention-materialised, a fault: blocks of the sizes that a softmax inside attention makes, allocated
/// by attention's functions, are alive at the peak. Grade A if the settings give heads and length and the
/// size fits exactly, else B. The sequence length T is read from the settings, or follows from the row sums
/// of a hand-written softmax. If no frame names a softmax, grade B from sizes alone (`attentionBySizes`).
/// Bytes: the matrices at the peak. Misses blocks of the backward if stacks have no Python frames.
std::vector<Finding> findAttentionMaterialised(const DetectorInput& input);

/// Rule cache-flush-churn, a fault: the cache was emptied at least three times, not to capture a CUDA graph,
/// and most of the memory returned to the driver was reserved again before the next flush. Grade A if frames
/// name empty_cache at every flush, B if the only evidence is that the allocator's rules do not explain the
/// releases. Bytes: the memory reserved again, on average per flush. Wrong if another process uses the memory
/// in between.
std::vector<Finding> findCacheFlushChurn(const DetectorInput& input);

/// Rule private-pools, a fact: the memory of pools other than the default at the failure or the peak, and how
/// much of it is idle. Grade A if the allocator's state is exact, else B. Bytes: the memory that these pools
/// reserve. Misses pools deleted before the snapshot.
std::vector<Finding> findPrivatePools(const DetectorInput& input);

/// Rule cross-stream-delay, a fault of grade A: blocks at the peak whose free was requested but waits for
/// another stream (`record_stream`). Bytes: the sizes of those blocks. Delays of this kind are expected with
/// FSDP1.
std::vector<Finding> findCrossStreamDelay(const DetectorInput& input);

/// Rule rounding-waste: bytes that blocks occupy at the peak beyond the requested ones. A fault about the
/// bytes due to roundup_power2_divisions, if these are enough to report; else a fact about all of the waste,
/// from 2% of the peak on. Grade A if the allocator's state is exact, else B.
std::vector<Finding> findRoundingWaste(const DetectorInput& input);

/// Rule precision-upcast, a fault of grade B: forward makes blocks by a cast that does not move data to the
/// device, and they are alive at the peak. Each is paired with an older live block of half its size. No block
/// has twice its size, so the cast cannot have narrowed one. Bytes: the copies. Wrong for casts that keep the
/// width, and if the precision is needed.
std::vector<Finding> findPrecisionUpcast(const DetectorInput& input);

/// Rule unused-gradients, a fault of grade B: gradients that nothing frees. Either their sizes are those of
/// weights that no optimizer updates, or the first step made them, and zero_grad frees others in two later
/// steps or more. Bytes: the unused gradients alive at the peak.
std::vector<Finding> findUnusedGradients(const DetectorInput& input);

/// Rule second-optimizer, a fault of grade B: at the peak, the state of an earlier optimizer is alive next to
/// the state of a later one. There are too few parameters of these sizes for two models. Bytes: the state of
/// the earlier optimizer. Misses the case while a copy of the model is alive.
std::vector<Finding> findSecondOptimizer(const DetectorInput& input);

/// Rule kv-cache-in-training, grade B: a forward that is followed by a backward fills a KV cache. A fault if
/// the cache outlives that backward and the peak would be lower without it. Bytes: the cache at the peak. The
/// saving is a lower bound, since the cache may be a copy of tensors that attention keeps.
std::vector<Finding> findKvCacheInTraining(const DetectorInput& input);

/// Rule autocast-copies, a fact of grade A: blocks of the peak made by autocast's casts to a narrower type,
/// according to their C++ frames. Bytes: those copies. Silent if the stacks have no C++ frames.
std::vector<Finding> findAutocastCopies(const DetectorInput& input);

} // namespace highwater
