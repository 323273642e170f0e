import { pinhole } from './pinhole.ts';
import type { Lighting, Rig } from './rig.ts';

/** Light that the dome throws into the lens over everything, per pixel in linear light (1 is white), by the rig's lamps that burn. */
export function glareLayer(rig: Rig, lighting: Lighting): Float32Array {
  const { widthPx, heightPx } = rig.camera;
  const layer = new Float32Array(widthPx * heightPx);
  const middle = pinhole(rig.camera).project([0, 0, 0]);
  for (const [index, lamp] of rig.lamps.entries()) {
    const { glare } = lamp;
    if (glare === null || index === lighting.failedLamp) continue;
    const [cx, cy] = [middle[0] + glare.atShare[0] * heightPx, middle[1] + glare.atShare[1] * heightPx];
    const size = glare.sizeShare * heightPx;
    const [s, c] = [Math.sin(glare.angleRad), Math.cos(glare.angleRad)];
    for (let py = 0; py < heightPx; py += 1)
      for (let px = 0; px < widthPx; px += 1) {
        const [dx, dy] = [px + 0.5 - cx, py + 0.5 - cy];
        let distance: number;
        if (glare.shape === 'disc') distance = Math.hypot(dx, dy) - size;
        else {
          // A tube lamp: seen in the curved dome it bends a little.
          const along = c * dx + s * dy;
          const across = -s * dx + c * dy - (along * along) / (size * 18);
          distance = Math.hypot(Math.max(0, Math.abs(along) - size * 4.5), across) - size * 0.4;
        }
        if (distance > 40) continue;
        const core = Math.max(0, Math.min(1, 0.5 - distance / 1.6)) * 2.2;
        const halo = distance > 0 ? 0.035 * Math.exp(-distance / 7) : 0.035;
        const at = py * widthPx + px;
        layer[at] = (layer[at] ?? 0) + core + halo;
      }
  }
  return layer;
}
