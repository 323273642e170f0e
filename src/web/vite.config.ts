import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    // The pages' security policy allows no inline data but pictures; fonts are files.
    assetsInlineLimit: 0,
    target: 'es2022',
  },
});
