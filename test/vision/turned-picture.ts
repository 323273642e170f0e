import sharp from 'sharp';

/** A picture as a camera takes it that was turned about its axis. @param deg counter to the dice: clockwise in the picture. */
export async function turnedPicture(jpeg: Buffer, deg: number): Promise<Buffer> {
  const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const out = Buffer.alloc(data.length);
  const [cos, sin] = [Math.cos((deg * Math.PI) / 180), Math.sin((deg * Math.PI) / 180)];
  const [cx, cy] = [width / 2, height / 2];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const sx = Math.max(0, Math.min(width - 1.001, cos * (x - cx) + sin * (y - cy) + cx));
      const sy = Math.max(0, Math.min(height - 1.001, cos * (y - cy) - sin * (x - cx) + cy));
      const [ix, iy] = [Math.floor(sx), Math.floor(sy)];
      const [fx, fy] = [sx - ix, sy - iy];
      for (let c = 0; c < 3; c += 1) {
        const at = (column: number, row: number): number => data[3 * (row * width + column) + c] ?? 0;
        const above = at(ix, iy) * (1 - fx) + at(ix + 1, iy) * fx;
        const below = at(ix, iy + 1) * (1 - fx) + at(ix + 1, iy + 1) * fx;
        out[3 * (y * width + x) + c] = Math.round(above * (1 - fy) + below * fy);
      }
    }
  }
  return sharp(out, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer();
}
