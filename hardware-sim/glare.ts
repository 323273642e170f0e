import { pinhole } from './pinhole.ts';
import type { Lighting, Rig } from './rig.ts';
import { seededRandom } from './seeded-random.ts';

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
  addSpecks(layer, rig);
  return layer;
}

/** Dust on the dome is far out of focus: faint, soft spots that stay where they are. */
function addSpecks(layer: Float32Array, rig: Rig): void {
  const { widthPx, heightPx } = rig.camera;
  const random = seededRandom(rig.seed * 31 + 17);
  for (let i = 0; i < rig.domeSpeckCount; i += 1) {
    const [cx, cy] = [random.between(0.1, 0.9) * widthPx, random.between(0.1, 0.9) * heightPx];
    const radius = heightPx * random.between(0.003, 0.01);
    const strength = random.between(0.006, 0.03);
    for (let py = Math.max(0, Math.floor(cy - 2 * radius)); py < Math.min(heightPx, cy + 2 * radius); py += 1)
      for (let px = Math.max(0, Math.floor(cx - 2 * radius)); px < Math.min(widthPx, cx + 2 * radius); px += 1) {
        const at = py * widthPx + px;
        layer[at] = (layer[at] ?? 0) + strength * Math.exp(-(((px + 0.5 - cx) ** 2 + (py + 0.5 - cy) ** 2) / (radius * radius)));
      }
  }
}
