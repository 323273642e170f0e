import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { productRoot } from '../src/product-root.ts';

it('finds the folder that holds package.json and the source', () => {
  expect(existsSync(join(productRoot, 'package.json'))).toBe(true);
  expect(existsSync(join(productRoot, 'src', 'product-root.ts'))).toBe(true);
});
