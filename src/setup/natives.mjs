// The packages with C++ code. npm's own install scripts stay off (one of them tries a download); each is compiled here once for this
// Node and OpenCV, and the result is kept in the user's cache folder, so that the next clone copies a file.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { cpus, homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { root, runWithProgress, SetupProblem, say } from './steps.mjs';

const opencvHeaders = '/usr/include/opencv4/opencv2';

/** The OpenCV modules that the binding is compiled for. `highgui` and `videoio` are not used, but the binding gives imdecode only with them. */
const opencvModules = ['core', 'imgproc', 'imgcodecs', 'highgui', 'videoio'];

const natives = [
  { name: 'epoll', product: 'build/Release/epoll.node', sourceCount: 1 },
  { name: 'better-sqlite3', product: 'build/Release/better_sqlite3.node', sourceCount: 2 },
  { name: 'opencv4nodejs', product: 'build/Release/opencv4nodejs.node', sourceCount: 97 },
];

/** Makes sure that every native package is there and loads. */
export async function buildNatives() {
  for (const native of natives) {
    const folder = join(root, 'node_modules', native.name);
    const product = join(folder, native.product);
    if (existsSync(product)) continue;
    const cached = join(cacheFolder(), cacheKey(native.name, folder), native.product.split('/').at(-1));
    mkdirSync(dirname(product), { recursive: true });
    if (existsSync(cached)) {
      copyFileSync(cached, product);
      if (loads(native.name)) {
        say(`${native.name}: taken from ${dirname(cached)}`);
        continue;
      }
      rmSync(product);
    }
    await compile(native, folder);
    // A failed build can still exit 0.
    if (!existsSync(product)) throw new SetupProblem(`${native.name}: the build ended without making ${product}`);
    if (!loads(native.name)) throw new SetupProblem(`${native.name}: ${product} was built but does not load`);
    mkdirSync(dirname(cached), { recursive: true });
    copyFileSync(product, `${cached}.${process.pid}`);
    renameSync(`${cached}.${process.pid}`, cached);
  }
}

function cacheFolder() {
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'sicbo-table', 'natives');
}

function cacheKey(name, folder) {
  const version = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
  const base = `${name}-${version}-node${process.versions.node.split('.')[0]}-abi${process.versions.modules}-${process.arch}`;
  return name === 'opencv4nodejs' ? `${base}-opencv${opencvVersion()}-${opencvModules.join('-')}` : base;
}

function opencvVersion() {
  const header = readFileSync(join(opencvHeaders, 'core/version.hpp'), 'utf8');
  return ['MAJOR', 'MINOR', 'REVISION'].map((part) => new RegExp(`CV_VERSION_${part}\\s+(\\d+)`).exec(header)[1]).join('.');
}

function loads(name) {
  const env = { ...process.env, OPENCV4NODEJS_DISABLE_AUTOBUILD: '1' };
  return spawnSync(process.execPath, ['-e', `require(${JSON.stringify(name)})`], { cwd: root, env }).status === 0;
}

async function compile({ name, sourceCount }, folder) {
  say(`Compiling ${name}${name === 'opencv4nodejs' ? ' (the slow part: 2 to 8 minutes on two cores, once per machine)' : ''}`);
  const args = [join(root, 'node_modules/node-gyp/bin/node-gyp.js'), 'rebuild', '--release', '-j', String(cpus().length)];
  const headers = [dirname(dirname(process.execPath)), '/usr'].find((prefix) => existsSync(join(prefix, 'include/node/node.h')));
  if (headers !== undefined) args.push(`--nodedir=${headers}`);
  let compiledCount = 0;
  await runWithProgress(name, process.execPath, args, {
    cwd: folder,
    env: name === 'opencv4nodejs' ? opencvEnvironment(folder) : {},
    progressOf: (line) => {
      if (!/^\s+(CXX|CC)\(/.test(line)) return null;
      compiledCount += 1;
      return `${compiledCount} of ${Math.max(compiledCount, sourceCount)} files`;
    },
  });
}

/** The binding compiles every module that `opencv_modules.hpp` names: an include folder of links with a shorter list halves the work. */
function opencvEnvironment(folder) {
  const include = join(folder, 'opencv-include');
  rmSync(include, { recursive: true, force: true });
  mkdirSync(join(include, 'opencv2'), { recursive: true });
  for (const entry of readdirSync(opencvHeaders)) {
    if (entry !== 'opencv_modules.hpp') symlinkSync(join(opencvHeaders, entry), join(include, 'opencv2', entry));
  }
  writeFileSync(
    join(include, 'opencv2/opencv_modules.hpp'),
    opencvModules.map((name) => `#define HAVE_OPENCV_${name.toUpperCase()}\n`).join(''),
  );
  const architecture = spawnSync('gcc', ['-print-multiarch'], { encoding: 'utf8' }).stdout.trim();
  return {
    OPENCV4NODEJS_DISABLE_AUTOBUILD: '1',
    OPENCV_INCLUDE_DIR: include,
    OPENCV_LIB_DIR: `/usr/lib/${architecture}`,
    OPENCV_BIN_DIR: '/usr/bin',
  };
}
