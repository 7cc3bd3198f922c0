// A plugin of esbuild that puts the index of presets in place of the module that parses their files. No command then parses
// forty files to recognise one.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileFunction } from 'node:vm';
import { build } from 'esbuild';

const MODULE = 'src/map/presets/preset-index.ts';

export async function inlinePresets(root) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [MODULE],
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    define: { 'import.meta.url': 'moduleUrl' },
    logLevel: 'warning',
  });
  const module = { exports: {} };
  const run = compileFunction(outputFiles[0].text, ['module', 'require', 'moduleUrl']);
  run(module, createRequire(import.meta.url), pathToFileURL(join(root, MODULE)).href);
  const index = JSON.stringify(module.exports.presetIndex());
  return {
    name: 'inline-presets',
    setup: ({ onLoad }) =>
      onLoad({ filter: /[\\/]map[\\/]presets[\\/]preset-index\.ts$/ }, () => ({
        contents: `const heads = ${index};\nexport const presetIndex = () => heads;\n`,
      })),
  };
}
