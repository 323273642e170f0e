import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { productRoot } from './product-root.ts';

/** Version of the product as its package.json gives it, e.g. "0.1.0". */
export const productVersion: string = versionOf(JSON.parse(readFileSync(join(productRoot, 'package.json'), 'utf8')));

function versionOf(manifest: unknown): string {
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) return String(manifest.version);
  throw new Error('package.json has no version');
}
