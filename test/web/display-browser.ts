import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { build } from 'vite';
import { productRoot } from '../../src/product-root.ts';

/** Debian's browser; another one by its path in SICBO_CHROMIUM. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.SICBO_CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--no-first-run',
      '--disable-sync',
      '--disable-component-update',
    ],
  });
}

/** Builds the pages of this very source into a folder of their own. @returns the folder. */
export async function buildPages(): Promise<string> {
  const outDir = mkdtempSync(join(tmpdir(), 'sicbo-web-'));
  await build({
    configFile: join(productRoot, 'src/web/vite.config.ts'),
    logLevel: 'error',
    build: { outDir, emptyOutDir: true },
  });
  return outDir;
}
