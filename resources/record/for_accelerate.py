

# For a loop with accelerate. Its find_executable_batch_size catches what runs out of memory; the files are written before that.
#
#     import record_memory
#     accelerator = Accelerator()                  # sets the device of this rank
#     record_memory.start()
#     model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
#     for step, batch in enumerate(loader):
#         with accelerator.accumulate(model):
#             ...
#         if step in (3, 500):
#             record_memory.dump(f"step{step}", clear=True)
#     record_memory.dump("end")
