

# For TRL's trainers (SFTTrainer, DPOTrainer, GRPOTrainer, …):
#
#     import record_memory
#     record_memory.start()                        # before the policy is loaded
#     trainer = GRPOTrainer(..., callbacks=[record_memory.RecordMemory(steps=(3, 500))])
#
# With use_vllm=True and vllm_mode="colocate" the engine lies in the same process and is recorded, too; a vLLM server is not.
