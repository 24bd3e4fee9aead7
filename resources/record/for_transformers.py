

# For Trainer of transformers:
#
#     import record_memory
#     record_memory.start()                        # before the model is loaded
#     trainer = Trainer(..., callbacks=[record_memory.RecordMemory(steps=(3, 500))])
#
