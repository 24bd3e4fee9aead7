

# For DeepSpeed. Start before initialize, which makes the flat buffers of ZeRO:
#
#     import record_memory
#     deepspeed.init_distributed()
#     torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
#     record_memory.start()
#     engine, optimizer, _, _ = deepspeed.initialize(model=model, config=config)
#     for step, batch in enumerate(loader):
#         loss = engine(batch)
#         engine.backward(loss)
#         engine.step()
#         if step in (3, 500):
#             record_memory.dump(f"step{step}", clear=True)
#     record_memory.dump("end")
