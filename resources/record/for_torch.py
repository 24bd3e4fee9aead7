

# In the training script. Steps are told apart by the optimizer's step(), which PyTorch marks by itself.
#
#     record_memory.start()
#     model = Model().cuda()
#     for step in range(steps):
#         train_step(...)
#         if step in (3, 500):                     # a few steps, not every one
#             record_memory.dump(f"step{step}", clear=True)
#     record_memory.dump("end")
