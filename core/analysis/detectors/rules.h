#pragma once

#include <vector>

#include "core/analysis/detectors/detector_input.h"

/// The detectors, one file each. Each comment says when the rule reports, with which grade, and when it can
/// be wrong. A rule without anything to report returns no findings.
namespace highwater {

/// Rule peak-summary, a fact of grade A: the peak, its event, step and phase, what holds it, and how far away
/// the capacity is. A lower bound where the start of the trace was lost.
std::vector<Finding> findPeakSummary(const DetectorInput& input);

/// Rule capture-quality, facts of grade A: no history, the start lost, a file that is cut off or contradicts
/// itself, bytes at the peak without a stack. Bytes: those at the peak (or at the end) that are affected.
std::vector<Finding> findCaptureQuality(const DetectorInput& input);

/// Rule growth, a fault: the total at the end of the steps rises (`growthPerStep`), and stacks are found that
/// leave memory behind in nearly every step, or every few steps, the last ones included. Grade A where they
/// do so in every step and make up the slope (within 10 %), else B; C where most of it are weights, their
/// gradients and state: a model that grows may be meant. Bytes: what they hold at the peak from
/// steps before its own. Silent for caches that have filled and for what is replaced from step to step; wrong
/// for caches that are still filling when the trace ends, and for replay buffers that are meant.
std::vector<Finding> findGrowth(const DetectorInput& input);

/// Rule growth of logs alone, a fault of grade B: what a log writes as in use at each step rises steadily, in
/// the last third as before, by a hundredth or more over at least ten points, a fifth of them left aside as
/// warm-up; of grade C over four to nine points that all rise, by a tenth or more. Bytes: from the first of
/// the others to the last. Wrong for batches that get longer.
std::vector<Finding> findGrowthInLog(const DetectorInput& input);

/// Rule retained-graph, a fault of grade B: nearly all that a line left which calls the model (forward,
/// scoring, evaluation, generation), many blocks from many stacks, outlives the step after its own, in at
/// least two steps. Bytes: what of it is alive at the peak although its step, or a backward through it, is
/// over, the last step's included. Wrong for pipelines with more than one step in flight and for double
/// backward.
std::vector<Finding> findRetainedGraph(const DetectorInput& input);

/// Rule unused-graph, a fault of grade B: of what a line that calls the model makes in one phase (evaluation,
/// a loop that samples) most lives on while the modules behind it run, and no backward frees it although one
/// came. Bytes: alive at the peak, or in the largest such phase. Wrong where the backward comes after the end
/// of the recording; what failed for lack of memory is left aside.
std::vector<Finding> findUnusedGraph(const DetectorInput& input);

/// Rule still-rising, of grade B, a fault from a twentieth of the peak on: places leave memory behind in both
/// of the last whole steps but one, where the steps are too few for rule growth. Bytes: a step.
std::vector<Finding> findStillRising(const DetectorInput& input);

/// Rule generation-with-gradients, a fault of grade B: in a generation phase the memory of nearly all rounds
/// of at least three stacks, and half of those that recur, is alive when the phase ends, and no backward uses
/// it. Bytes: of the largest such phase. Wrong where a program keeps three or more tensors a token on
/// purpose.
std::vector<Finding> findGenerationWithGradients(const DetectorInput& input);

/// Rule oversized-logits: blocks of B·T·V elements of 16 or 32 bits hold a tenth of the peak or more, and
/// frames speak of logits or their loss. A fault where more copies are alive than one loss needs, or where
/// memory ran out; else a fact. Grade A where the run's settings give V, B where a parameter has V rows (an
/// embedding, a head). Bytes: of all such blocks at the peak. Vocabularies split between ranks are missed,
/// and models whose parameters are flat buffers.
std::vector<Finding> findOversizedLogits(const DetectorInput& input);

/// Rule duplicate-model of grade A: blocks made before training, not by a forward or an optimizer, hold the
/// same multiset of sizes under two or more call paths, or that of half the precision. A fault where one was
/// read from a file and another was moved, converted or copied from it; else a fact: it may be a reference, a
/// teacher, an average. Bytes: of all copies but the largest. Copies made by one and the same line are
/// missed.
std::vector<Finding> findDuplicateModel(const DetectorInput& input);

/// Rule peak-phase, a fact with the grade of the phase: which phase the peak is in, in how many steps, and
/// how far below it the other phases are.
std::vector<Finding> findPeakPhase(const DetectorInput& input);

/// Rule stale-gradients, a fault: gradients from before a forward are alive at its highest moment. Grade A
/// where `zero_grad` frees them before a backward or an optimizer uses them; B where the optimizer's step has
/// used them and nothing frees them (`set_to_none=False`); C where they are older than a trace that ends
/// before a backward. Only where the run's peak would be lower without them.
std::vector<Finding> findStaleGradients(const DetectorInput& input);

/// Rule optimizer-state-first-step, a fact: the first optimizer phase of the trace makes the optimizer's
/// state. Grade A where the sizes pair with gradients, else B. Wrong for state that only late layers get.
std::vector<Finding> findOptimizerState(const DetectorInput& input);

/// Rule steady-peak-forecast, a fact of grade B: the trace has one optimizer step, which makes the state, and
/// no backward behind it: the peak before it and the state together. Bytes: that forecast. Wrong where later
/// batches are of another size.
std::vector<Finding> findSteadyForecast(const DetectorInput& input);

/// Rule gradient-buckets of grade B: DistributedDataParallel runs, and at the end of a backward there are
/// gradients of the parameters' sizes and about as many bytes in other gradient blocks, its buckets. A fault
/// where the peak would be lower without the former, else a fact. Bytes: of the former.
std::vector<Finding> findGradientBuckets(const DetectorInput& input);

/// Rule reserved-above-live, of grade A: a quarter or more of what was reserved at most was never in use at
/// once, and memory did not run out. A fault where it is half, and 1 GiB. Bytes: the difference of the two
/// peaks.
std::vector<Finding> findReservedAboveLive(const DetectorInput& input);

/// Rule device-imbalance, a fact of grade A: the GPU's peak is half as high again as the mean of the others
/// in the file, or higher. Bytes: the difference.
std::vector<Finding> findDeviceImbalance(const DetectorInput& input);

/// Rules fragmentation, too-big, divided-free-memory, process-cap, reserve-too-small, and of messages alone
/// above-capacity, allocation-limit, corrupt-request, not-on-device and out-of-memory, faults: the cause of
/// the last request that failed (`oomVerdict`); too-big also where the device was full, divided-free-memory
/// also where another pool or stream had the room. Grade A where the allocator's state is exact, B where
/// parts of it are inferred, the free bytes are divided, or the limit is not told. Without such an event,
/// from the messages of logs (`readOom`: A for limits and sizes, B for too big, full and unknown, C where
/// they allow fragmentation). Bytes: what is free and could not serve; the bytes that had to be freed; the
/// bytes missing from one contiguous piece; else the request. A setting of the allocator is named only where
/// a replay of the run proves that the request fits with it.
std::vector<Finding> findOutOfMemory(const DetectorInput& input);

/// Rule outside-pytorch, a fault: more than 2 GiB (or a tenth of a small GPU) is in use on the device but not
/// reserved by this process's allocator; not where the device had room for the request that failed. Grade A
/// by an out-of-memory event and a known capacity, or by the message of a log, which may name the processes
/// to end; B (C where the time zone is a guess) at the peak by what a sampled series or a trace of the driver
/// says. Wrong for partitioned GPUs (MIG).
std::vector<Finding> findOutsidePyTorch(const DetectorInput& input);

/// Rule inconsistent-oom-text, a fact of grade A: figures of one message that cannot hold together
/// (`readOom`). Bytes: by how much.
std::vector<Finding> findInconsistentOomText(const DetectorInput& input);

/// Rule host-out-of-memory, a fault of grade A: the kernel, a batch system, a container, Ray or an allocator
/// of host memory says that the machine's memory, or /dev/shm, ran out. Bytes: of the process or the request,
/// 0 where the log does not tell.
std::vector<Finding> findHostOutOfMemory(const DetectorInput& input);

/// Rules driver-out-of-memory and engine-no-room, faults of grade B: a library or the driver found no room on
/// the device, or an inference engine none within its share. Rule unclear-failure, a fault of grade C: a
/// process was killed and nobody says why, or an allocation failed of which memory is not told. Bytes: of the
/// request, 0 where the log does not tell.
std::vector<Finding> findOtherFailuresInLog(const DetectorInput& input);

/// Rule allocator-retries, a fault of grade B: a log counts retries, survived failures or flushes of the
/// allocator. Rule memory-warning, of grade B: other warnings; a fact where a setting has no effect. Bytes:
/// most reserved.
std::vector<Finding> findAllocatorWarnings(const DetectorInput& input);

/// Rule settings-advice: with another setting of the allocator a request that failed fits and leaves room for
/// what follows, or more than 2 % less are reserved at the peak, by a replay (`lastingAdvice`). A fault where
/// the request fits or the device was nearly full; else a fact, from a tenth of the reserved peak on. Grade B
/// where the replay of the recorded settings is exact, else C. Bytes: of the request, or of reserved memory.
/// Wrong where another release of the allocator follows other rules.
std::vector<Finding> findSettingsAdvice(const DetectorInput& input);

/// Rule settings-not-effective, a fact of grade A: options of the allocator that a log of the run (or the
/// snapshot's own text) sets, and that what PyTorch made of them in the snapshot has not. Bytes: reserved at
/// the peak. Wrong where the log is of another process.
std::vector<Finding> findIneffectiveSettings(const DetectorInput& input);

/// Rule padded-to-maximum, a fault: at least four blocks of one size at the peak are B sequences of the most
/// tokens that the model takes, while all logits of the run are at least a quarter shorter. Grade C; B where
/// the run's settings give the batch and length of the logits. Bytes: of the difference, at the peak. Wrong
/// for packed sequences, static shapes, and logits of a part of the tokens.
std::vector<Finding> findPaddedToMaximum(const DetectorInput& input);

/// Rule attention-materialised, a fault: blocks of the sizes that a softmax inside attention makes, from
/// attention's functions, alive at the peak. Grade A where the settings give heads and length and the size
/// fits exactly, else B. T follows from them, or from the sums over rows of a softmax written by hand. Where
/// no frame names a softmax, B by sizes alone (`attentionBySizes`). Missed in backward where stacks have no
/// Python frames.
std::vector<Finding> findAttentionMaterialised(const DetectorInput& input);

/// Rule cache-flush-churn, a fault: at least three times the cache was emptied, not to capture a CUDA graph,
/// and most of the memory returned to the driver was reserved again before the next time. Grade A where
/// frames say empty_cache, B where only the allocator's rules do not explain it. Bytes: reserved again, the
/// mean of those times. Wrong where another process uses the memory in between.
std::vector<Finding> findCacheFlushChurn(const DetectorInput& input);

/// Rule private-pools, a fact: what pools other than the default hold at the failure or the peak, and how
/// much of it is idle. Grade A where the allocator's state is exact, else B. Bytes: reserved. Pools deleted
/// before the snapshot are missed.
std::vector<Finding> findPrivatePools(const DetectorInput& input);

/// Rule cross-stream-delay, a fault of grade A: blocks at the peak whose free was requested and waits for
/// another stream (`record_stream`). Bytes: of those. Expected with FSDP1.
std::vector<Finding> findCrossStreamDelay(const DetectorInput& input);

/// Rule rounding-waste: what blocks occupy at the peak beyond what was asked for. A fault of what
/// roundup_power2_divisions takes, where that is worth saying; else a fact, from 2 % of the peak on. Grade A
/// where the state is exact, else B.
std::vector<Finding> findRoundingWaste(const DetectorInput& input);

/// Rule precision-upcast, a fault of grade B: blocks of the peak made by a cast in forward that does not move
/// them to the device, with as many older blocks of
/// half their size live and none of twice their size from which they could have been narrowed. Bytes: of the
/// copies. Wrong for casts of one width and where the precision is needed.
std::vector<Finding> findPrecisionUpcast(const DetectorInput& input);

/// Rule unused-gradients, a fault of grade B: gradients that the first backward made and nothing frees, of
/// the sizes of weights that no optimizer works on, or while zero_grad frees others in two steps or more.
/// Bytes: of those at the peak.
std::vector<Finding> findUnusedGradients(const DetectorInput& input);

/// Rule second-optimizer, a fault of grade B: the state of an earlier optimizer is alive at the peak beside
/// that of a later one, and there are too few parameters of these sizes for both. Bytes: of the earlier.
/// Missed where a copy of the model is alive.
std::vector<Finding> findSecondOptimizer(const DetectorInput& input);

/// Rule kv-cache-in-training, of grade B: a forward that a backward follows fills a key-value cache. A fault
/// where the cache outlives that backward and the peak would be lower without it. Bytes: of it at the peak;
/// the saving is a lower bound, since the cache may be a copy of what attention keeps.
std::vector<Finding> findKvCacheInTraining(const DetectorInput& input);

/// Rule autocast-copies, a fact of grade A: blocks of the peak made by casts of autocast to a narrower type,
/// as their C++ frames say. Bytes: of those copies. Missed without C++ frames.
std::vector<Finding> findAutocastCopies(const DetectorInput& input);

} // namespace highwater
