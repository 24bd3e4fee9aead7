#pragma once

#include <vector>

#include "core/analysis/detectors/detector_input.h"

/// The detectors, one file each. Each comment states when the rule reports, with which grade, the meaning of
/// the finding's bytes, and when it can be wrong. A detector with nothing to report returns no findings.
namespace highwater {

/// Rule peak-summary, a fact of grade A: the peak, its event, step and phase, its largest parts, and the
/// distance to the capacity. A lower bound if the start of the trace was lost.
std::vector<Finding> findPeakSummary(const DetectorInput& input);

/// Rule capture-quality, facts of grade A: no history, a lost start, a file that is cut off or contradicts
/// itself, or peak bytes without a stack. Bytes: the affected bytes at the peak (or at the end).
std::vector<Finding> findCaptureQuality(const DetectorInput& input);

/// Rule growth, a fault: the total at the end of each step rises (`growthPerStep`), and there are stacks that
/// leave memory behind in nearly every step, or every few steps, up to the last ones. Grade A if they do so
/// in every step and account for the slope (within 10%), else B. Grade C if most of the memory is weights,
/// their gradients and optimizer state, since a growing model may be intended. Bytes: memory at the peak that
/// was allocated in earlier steps. Silent for caches that have filled up and for memory replaced from step to
/// step. Wrong for caches still filling when the trace ends, and for replay buffers that grow by design.
std::vector<Finding> findGrowth(const DetectorInput& input);

/// Rule growth for logs alone, a fault of grade B: the memory in use that a log reports at each step rises
/// steadily, in the last third as before it, by 1% or more over at least ten points, after a fifth of them is
/// dropped as warm-up. Grade C over four to nine points that all rise, by a tenth or more. Bytes: the rise
/// from the first remaining point to the last. Wrong for batches that get longer.
std::vector<Finding> findGrowthInLog(const DetectorInput& input);

/// Rule retained-graph, a fault of grade B: a line calls the model (forward, scoring, evaluation,
/// generation), and nearly everything that it left (many blocks from many stacks) outlives the step after its
/// own, in at least two steps. Bytes: the part alive at the peak although its step, or a backward through it,
/// is over, including the last step's. Wrong for pipelines with more than one step in flight and for double
/// backward.
std::vector<Finding> findRetainedGraph(const DetectorInput& input);

/// Rule unused-graph, a fault of grade B: in one phase (evaluation, a sampling loop) a line calls the model,
/// most of the memory it makes stays alive while the following modules run, and no backward frees it although
/// a backward follows. Bytes: the part alive at the peak, or in the largest such phase. Wrong if the backward
/// comes after the recording ends. Calls that ran out of memory are ignored.
std::vector<Finding> findUnusedGraph(const DetectorInput& input);

/// Rule still-rising, grade B: some places leave memory behind in both of the last two whole steps before the
/// final one, in a trace with too few steps for rule growth. A fault from a twentieth of the peak on, else a
/// fact. Bytes: growth per step.
std::vector<Finding> findStillRising(const DetectorInput& input);

/// Rule generation-with-gradients, a fault of grade B: in a generation phase, at least three stacks, and half
/// of those that recur, keep the memory of nearly all rounds until the phase ends, and no backward uses it.
/// Bytes: those of the largest such phase. Wrong for programs that keep three or more tensors per token on
/// purpose.
std::vector<Finding> findGenerationWithGradients(const DetectorInput& input);

/// Rule oversized-logits: blocks of B·T·V elements of 16 or 32 bits take a tenth of the peak or more, and
/// their frames mention logits or their loss. A fault if more copies are alive than one loss needs, or if
/// memory ran out; else a fact. Grade A if the run's settings give V, B if a parameter has V rows (an
/// embedding or a head). Bytes: all such blocks at the peak. Misses vocabularies sharded between ranks and
/// models whose parameters are flat buffers.
std::vector<Finding> findOversizedLogits(const DetectorInput& input);

/// Rule duplicate-model, grade A: blocks made before training, and not by a forward or an optimizer, have the
/// same multiset of sizes, or half those sizes, under two or more call paths. A fault if one copy was read
/// from a file and another was moved, converted or copied from it; else a fact, since it may be a reference
/// model, a teacher or a running average. Bytes: all copies but the largest. Misses copies made by the same
/// line.
std::vector<Finding> findDuplicateModel(const DetectorInput& input);

/// Rule peak-phase, a fact with the grade of the phase: the phase of the peak, in how many steps it is there,
/// and how far below it the other phases stay.
std::vector<Finding> findPeakPhase(const DetectorInput& input);

/// Rule stale-gradients, a fault: gradients from before a forward are alive at that forward's highest moment.
/// Grade A if `zero_grad` frees them before a backward or an optimizer uses them; B if the optimizer has used
/// them and nothing frees them (`set_to_none=False`); C if they were allocated before recording began and the
/// trace ends before a backward, or they outlive a later optimizer phase to the end. Reported only if the
/// run's peak would be lower without them.
std::vector<Finding> findStaleGradients(const DetectorInput& input);

/// Rule optimizer-state-first-step, a fact: the first optimizer phase of the trace makes the optimizer state.
/// Grade A if the sizes pair with gradients, else B. Wrong for state that only late layers get.
std::vector<Finding> findOptimizerState(const DetectorInput& input);

/// Rule steady-peak-forecast, a fact of grade B: the trace has one optimizer step, which makes the state, and
/// no backward after it. The forecast adds that state to the peak before it. Bytes: the forecast. Wrong if
/// later batches have another size.
std::vector<Finding> findSteadyForecast(const DetectorInput& input);

/// Rule gradient-buckets, grade B: DistributedDataParallel runs, and at the end of a backward there are
/// gradients of the parameters' sizes and about as many bytes in other gradient blocks, its buckets. A fault
/// if the peak would be lower without the former, else a fact. Bytes: the former.
std::vector<Finding> findGradientBuckets(const DetectorInput& input);

/// Rule reserved-above-live, grade A: a quarter or more of the reserved peak was never in use at once, and
/// memory did not run out. A fault if it is at least half and at least 1 GiB. Bytes: the difference of the
/// two peaks.
std::vector<Finding> findReservedAboveLive(const DetectorInput& input);

/// Rule device-imbalance, a fact of grade A: the GPU's peak is at least 1.5 times the mean of the other GPUs
/// in the file. Bytes: the difference.
std::vector<Finding> findDeviceImbalance(const DetectorInput& input);

/// Rules fragmentation, too-big, divided-free-memory, process-cap, reserve-too-small, and from messages alone
/// above-capacity, allocation-limit, corrupt-request, not-on-device and out-of-memory, all faults: the cause
/// of the last failed request (`oomVerdict`). too-big also covers a full device, and divided-free-memory also
/// covers room in another pool or stream. Grade A if the allocator's state is exact; B if parts of it are
/// inferred, the free bytes are split, or the limit is unknown. Without an out-of-memory event, the messages
/// of logs are used (`readOom`): A for limits and sizes, B for too big, full and unknown, C if they allow
/// fragmentation. Bytes: the free bytes that could not serve the request; the bytes that had to be freed; the
/// bytes missing from one contiguous block; else the request. An allocator setting is recommended only if a
/// replay of the run proves that the request then fits.
std::vector<Finding> findOutOfMemory(const DetectorInput& input);

/// Rule outside-pytorch, a fault: more than 2 GiB (or a tenth of a small GPU) is in use on the device but not
/// reserved by this process's allocator. Not reported if the device had room for the failed request. Grade A
/// from an out-of-memory event with a known capacity, or from a log message, which may name the processes to
/// end. Grade B (C if the time zone is a guess) from the value of a sampled series or a driver trace at the
/// peak. Wrong for partitioned GPUs (MIG).
std::vector<Finding> findOutsidePyTorch(const DetectorInput& input);

/// Rule inconsistent-oom-text, a fact of grade A: figures of one message that contradict each other
/// (`readOom`). Bytes: the size of the contradiction.
std::vector<Finding> findInconsistentOomText(const DetectorInput& input);

/// Rule host-out-of-memory, a fault of grade A: the kernel, a batch system, a container, Ray or a host
/// allocator reports that the machine's memory, or /dev/shm, ran out. Bytes: those of the process or the
/// request; 0 if the log does not give them.
std::vector<Finding> findHostOutOfMemory(const DetectorInput& input);

/// Rules driver-out-of-memory and engine-no-room, faults of grade B: a library or the driver found no room on
/// the device, or an inference engine found none within its share. Rule unclear-failure, a fault of grade C:
/// a process was killed for an unknown reason, or an allocation failed in unknown memory. Bytes: the request;
/// 0 if the log does not give it.
std::vector<Finding> findOtherFailuresInLog(const DetectorInput& input);

/// Rule allocator-retries, a fault of grade B: a log counts allocator retries, survived failures or cache
/// flushes. Rule memory-warning, grade B: other warnings; a fact for a setting that has no effect. Bytes: the
/// most reserved.
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

/// Rule padded-to-maximum, a fault: at least four blocks of one size at the peak are B sequences of the most
/// tokens that the model takes, while all logits of the run are at least a quarter shorter. Grade C; B if the
/// run's settings give the batch and length of the logits. Bytes: the difference at the peak. Wrong for
/// packed sequences, static shapes, and logits of only some of the tokens.
std::vector<Finding> findPaddedToMaximum(const DetectorInput& input);

/// Rule attention-materialised, a fault: blocks of the sizes that a softmax inside attention makes, allocated
/// by attention's functions, are alive at the peak. Grade A if the settings give heads and length and the
/// size fits exactly, else B. T follows from them, or from the row sums of a hand-written softmax. If no
/// frame names a softmax, B from sizes alone (`attentionBySizes`). Misses blocks of the backward if stacks
/// have no Python frames.
std::vector<Finding> findAttentionMaterialised(const DetectorInput& input);

/// Rule cache-flush-churn, a fault: the cache was emptied at least three times, not to capture a CUDA graph,
/// and most of the memory returned to the driver was reserved again before the next flush. Grade A if frames
/// name empty_cache, B if the only evidence is that the allocator's rules do not explain the releases. Bytes:
/// reserved again, on average per flush. Wrong if another process uses the memory in between.
std::vector<Finding> findCacheFlushChurn(const DetectorInput& input);

/// Rule private-pools, a fact: the memory of pools other than the default at the failure or the peak, and how
/// much of it is idle. Grade A if the allocator's state is exact, else B. Bytes: reserved. Misses pools
/// deleted before the snapshot.
std::vector<Finding> findPrivatePools(const DetectorInput& input);

/// Rule cross-stream-delay, a fault of grade A: blocks at the peak whose free was requested but waits for
/// another stream (`record_stream`). Bytes: those blocks. Expected with FSDP1.
std::vector<Finding> findCrossStreamDelay(const DetectorInput& input);

/// Rule rounding-waste: bytes that blocks occupy at the peak beyond the requested ones. A fault about the
/// bytes due to roundup_power2_divisions, if they are worth reporting; else a fact, from 2% of the peak on.
/// Grade A if the state is exact, else B.
std::vector<Finding> findRoundingWaste(const DetectorInput& input);

/// Rule precision-upcast, a fault of grade B: blocks of the peak made by a cast in forward that does not move
/// them to the device. As many older live blocks have half their size, and none has twice their size, from
/// which they could have been narrowed. Bytes: the copies. Wrong for casts of one width and if the precision
/// is needed.
std::vector<Finding> findPrecisionUpcast(const DetectorInput& input);

/// Rule unused-gradients, a fault of grade B: gradients that the first backward made and nothing frees, of
/// the sizes of weights that no optimizer updates, or while zero_grad frees others in two steps or more.
/// Bytes: those alive at the peak.
std::vector<Finding> findUnusedGradients(const DetectorInput& input);

/// Rule second-optimizer, a fault of grade B: at the peak the state of an earlier optimizer is alive as well
/// as that of a later one, and there are too few parameters of these sizes for both. Bytes: the earlier
/// state. Misses it while a copy of the model is alive.
std::vector<Finding> findSecondOptimizer(const DetectorInput& input);

/// Rule kv-cache-in-training, grade B: a forward that is followed by a backward fills a KV cache. A fault if
/// the cache outlives that backward and the peak would be lower without it. Bytes: the cache at the peak. The
/// saving is a lower bound, since the cache may be a copy of tensors that attention keeps.
std::vector<Finding> findKvCacheInTraining(const DetectorInput& input);

/// Rule autocast-copies, a fact of grade A: blocks of the peak made by autocast's casts to a narrower type,
/// according to their C++ frames. Bytes: those copies. Misses them without C++ frames.
std::vector<Finding> findAutocastCopies(const DetectorInput& input);

} // namespace highwater
