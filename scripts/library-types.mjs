// Makes the types of the library: dist/library/index.d.ts and sandbox.d.ts, each one file without the internals, and the
// lists of all that they export, docs/api/*.api.md. With --check it writes no list, and fails if one is out of date.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
// Not in node_modules, where API Extractor expects libraries.
const work = join(root, 'dist/library/.work');
const isCheck = process.argv.includes('--check');

const ENTRIES = { index: 'src/library/index.ts', sandbox: 'src/library/sandbox.ts' };

rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
declareTypes();
let isRight = true;
for (const [name, source] of Object.entries(ENTRIES)) isRight = extract(name, source) && isRight;
if (!isRight) {
  console.error('The API of the library has changed. Look at it, then run: npm run docs');
  process.exitCode = 1;
}

/** One .d.ts file for each source file that the library is made of. */
function declareTypes() {
  const config = join(work, 'tsconfig.json');
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        rootDir: join(root, 'src'),
        outDir: join(work, 'src'),
      },
      include: [],
      files: [...Object.values(ENTRIES), 'src/store/http/undici-parts.d.ts'].map((file) => join(root, file)),
    }),
  );
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', config], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
  for (const file of readdirSync(join(work, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.d.ts')) continue;
    const path = join(work, 'src', file);
    // API Extractor takes a module of another name than .js for a library.
    const text = readFileSync(path, 'utf8').replaceAll(
      /((?:from |import\()['"]\.[^'"]*)\.ts(?=['"])/g,
      '$1.js',
    );
    writeFileSync(path, text);
  }
}

/** Rolls the types of one entry up into one file. Returns false if its list is out of date. */
function extract(name, source) {
  const entry = join(work, source.replace(/\.ts$/, '.d.ts'));
  const report = join(root, 'docs/api');
  mkdirSync(report, { recursive: true });
  const config = ExtractorConfig.prepare({
    packageJsonFullPath: join(root, 'package.json'),
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: entry,
      newlineKind: 'lf',
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            target: 'ES2023',
            module: 'NodeNext',
            moduleResolution: 'NodeNext',
            lib: ['ES2023'],
            types: ['node'],
            strict: true,
            skipLibCheck: true,
            allowImportingTsExtensions: true,
            noEmit: true,
          },
          files: [entry],
        },
      },
      apiReport: {
        enabled: true,
        reportFileName: name === 'index' ? 'storeport' : `storeport-${name}`,
        reportFolder: report,
        reportTempFolder: work,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: true, untrimmedFilePath: join(root, 'dist/library', `${name}.d.ts`) },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: 'error' } },
        extractorMessageReporting: {
          default: { logLevel: 'warning' },
          'ae-missing-release-tag': { logLevel: 'none' },
          'ae-undocumented': { logLevel: 'none' },
          // Parts of exported types are in the file, and need no name.
          'ae-forgotten-export': { logLevel: 'none' },
        },
        tsdocMessageReporting: { default: { logLevel: 'none' } },
      },
    },
  });
  const { apiReportChanged, errorCount } = Extractor.invoke(config, {
    localBuild: !isCheck,
    showVerboseMessages: false,
  });
  return errorCount === 0 && !(isCheck && apiReportChanged);
}
