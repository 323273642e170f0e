/** Blurs a clean picture (three channels a pixel) by a lens out of focus, into `out`. @param sigmaPx Deviation, px, 0.3 to 2. */
export function softFocus(clean: Int16Array, widthPx: number, sigmaPx: number, out: Int16Array): void {
  const reach = Math.ceil(2.5 * sigmaPx);
  const kernel = Array.from({ length: 2 * reach + 1 }, (_, i) => Math.exp(-0.5 * ((i - reach) / sigmaPx) ** 2));
  const sum = kernel.reduce((total, weight) => total + weight, 0);
  const weights = Float32Array.from(kernel, (weight) => weight / sum);
  const line = widthPx * 3;
  const lineCount = clean.length / line;
  const sideways = new Float32Array(clean.length);
  for (let y = 0; y < lineCount; y += 1)
    for (let i = 0; i < line; i += 1) {
      let value = 0;
      for (let k = -reach; k <= reach; k += 1) {
        const at = i + 3 * k;
        // Beyond the border its pixels repeat.
        const inside = at < 0 ? i % 3 : at >= line ? line - 3 + (i % 3) : at;
        value += (weights[k + reach] as number) * (clean[y * line + inside] as number);
      }
      sideways[y * line + i] = value;
    }
  for (let y = 0; y < lineCount; y += 1)
    for (let i = 0; i < line; i += 1) {
      let value = 0;
      for (let k = -reach; k <= reach; k += 1) {
        const at = Math.max(0, Math.min(lineCount - 1, y + k));
        value += (weights[k + reach] as number) * (sideways[at * line + i] as number);
      }
      out[y * line + i] = Math.round(value);
    }
}
