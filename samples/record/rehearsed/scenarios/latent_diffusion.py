# Text-to-image fine-tuning in the style of the diffusers examples: frozen VAE and text encoder in half precision, UNet trained.
import torch, math
import torch.nn.functional as F
from torch import nn
from einops import rearrange

weight_dtype = torch.float16

class AutoencoderKL(nn.Module):
    def __init__(self, ch=96):
        super().__init__()
        self.encoder = nn.Sequential(nn.Conv2d(3, ch, 3, 1, 1), nn.SiLU(), nn.Conv2d(ch, ch, 3, 2, 1), nn.GroupNorm(8, ch), nn.SiLU(), nn.Conv2d(ch, 2 * ch, 3, 2, 1),
                                     nn.GroupNorm(8, 2 * ch), nn.SiLU(), nn.Conv2d(2 * ch, 4 * ch, 3, 2, 1), nn.SiLU(), nn.Conv2d(4 * ch, 8, 1))
        self.decoder = nn.Sequential(nn.Conv2d(4, 4 * ch, 3, 1, 1), nn.SiLU(), nn.ConvTranspose2d(4 * ch, ch, 4, 2, 1), nn.Conv2d(ch, 3, 3, 1, 1))
    def encode(self, x):
        mean, logvar = self.encoder(x).chunk(2, 1)
        return mean + torch.exp(0.5 * logvar.clamp(-30, 20)) * torch.randn_like(mean)

class TextEncoder(nn.Module):
    def __init__(self, vocab=20000, d=512, n=4):
        super().__init__()
        self.tok, self.pos = nn.Embedding(vocab, d), nn.Parameter(torch.zeros(77, d))
        self.layers = nn.ModuleList([nn.TransformerEncoderLayer(d, 8, 4 * d, batch_first=True, norm_first=True, activation="gelu") for _ in range(n)])
        self.final = nn.LayerNorm(d)
    def forward(self, ids):
        h = self.tok(ids) + self.pos
        for l in self.layers:
            h = l(h)
        return (self.final(h),)

class CrossAttention(nn.Module):
    def __init__(self, c, ctx, heads=8):
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(c)
        self.to_q, self.to_k, self.to_v, self.to_out = nn.Linear(c, c, False), nn.Linear(ctx, c, False), nn.Linear(ctx, c, False), nn.Linear(c, c)
    def forward(self, x, context):
        q = self.to_q(self.norm(x)); k, v = self.to_k(context), self.to_v(context)
        q, k, v = (rearrange(t, "b n (h d) -> b h n d", h=self.heads) for t in (q, k, v))
        return x + self.to_out(rearrange(F.scaled_dot_product_attention(q, k, v), "b h n d -> b n (h d)"))

class Res(nn.Module):
    def __init__(self, i, o, t):
        super().__init__()
        self.n1, self.c1, self.emb = nn.GroupNorm(16, i), nn.Conv2d(i, o, 3, 1, 1), nn.Linear(t, o)
        self.n2, self.c2 = nn.GroupNorm(16, o), nn.Conv2d(o, o, 3, 1, 1)
        self.s = nn.Conv2d(i, o, 1) if i != o else nn.Identity()
    def forward(self, x, e):
        h = self.c1(F.silu(self.n1(x))) + self.emb(F.silu(e))[..., None, None]
        return self.s(x) + self.c2(F.silu(self.n2(h)))

class UNet2DConditionModel(nn.Module):
    def __init__(self, c=160, ctx=512):
        super().__init__()
        t = 4 * c
        self.c = c
        self.time = nn.Sequential(nn.Linear(c, t), nn.SiLU(), nn.Linear(t, t))
        self.conv_in, self.conv_out = nn.Conv2d(4, c, 3, 1, 1), nn.Conv2d(c, 4, 3, 1, 1)
        self.down = nn.ModuleList([Res(c, c, t), Res(c, 2 * c, t)])
        self.datt = nn.ModuleList([CrossAttention(c, ctx), CrossAttention(2 * c, ctx)])
        self.mid = Res(2 * c, 2 * c, t)
        self.up = nn.ModuleList([Res(4 * c, c, t), Res(2 * c, c, t)])
        self.uatt = nn.ModuleList([CrossAttention(c, ctx), CrossAttention(c, ctx)])
    def _attn(self, a, h, context):
        return rearrange(a(rearrange(h, "b c y x -> b (y x) c"), context), "b (y x) c -> b c y x", y=h.size(2))
    def forward(self, sample, timestep, encoder_hidden_states):
        f = torch.exp(-math.log(1e4) * torch.arange(self.c // 2, device=sample.device) / (self.c // 2))
        e = self.time(torch.cat([(timestep[:, None] * f).cos(), (timestep[:, None] * f).sin()], 1))
        h, skips = self.conv_in(sample), []
        for r, a in zip(self.down, self.datt):
            h = self._attn(a, r(h, e), encoder_hidden_states)
            skips.append(h)
            h = F.avg_pool2d(h, 2)
        h = self.mid(h, e)
        for r, a in zip(self.up, self.uatt):
            h = F.interpolate(h, scale_factor=2.0)
            h = self._attn(a, r(torch.cat([h, skips.pop()], 1), e), encoder_hidden_states)
        return self.conv_out(h)

class DDPMScheduler:
    def __init__(self, n=1000):
        self.alphas_cumprod = torch.cumprod(1 - torch.linspace(0.00085**0.5, 0.012**0.5, n) ** 2, 0)
    def add_noise(self, x, noise, t):
        a = self.alphas_cumprod.to(device=x.device, dtype=x.dtype)[t]
        return a.sqrt().view(-1, 1, 1, 1) * x + (1 - a).sqrt().view(-1, 1, 1, 1) * noise

def main():
    vae, text_encoder, unet = AutoencoderKL(), TextEncoder(), UNet2DConditionModel()
    vae.requires_grad_(False); text_encoder.requires_grad_(False)
    text_encoder.to("cuda", dtype=weight_dtype)
    vae.to("cuda", dtype=weight_dtype)
    unet.to("cuda").train()
    noise_scheduler = DDPMScheduler()
    optimizer = torch.optim.AdamW(unet.parameters(), lr=1e-5, weight_decay=1e-2)
    lr_scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: min(1, s / 500))
    scaler = torch.amp.GradScaler()
    for step in range(5):
        pixel_values, input_ids = torch.rand(8, 3, 256, 256).to("cuda"), torch.randint(20000, (8, 77)).to("cuda")
        with torch.no_grad():
            latents = vae.encode(pixel_values.to(weight_dtype)) * 0.18215
            encoder_hidden_states = text_encoder(input_ids)[0]
        noise = torch.randn_like(latents)
        timesteps = torch.randint(0, 1000, (latents.shape[0],), device=latents.device).long()
        noisy_latents = noise_scheduler.add_noise(latents, noise, timesteps)
        with torch.autocast("cuda", dtype=weight_dtype):
            model_pred = unet(noisy_latents, timesteps, encoder_hidden_states)
        loss = F.mse_loss(model_pred.float(), noise.float(), reduction="mean")
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(unet.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        lr_scheduler.step()
        optimizer.zero_grad()

main()
