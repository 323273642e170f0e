import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';

/** The command and its arguments inside a mount namespace of its own. `setup` is shell text that runs there first, as the namespace's root;
 *  every step ends in `exec`, so that the child's pid and its signals are those of the command itself. Needs root, or a kernel that lets users
 *  make namespaces (Debian 12 does). */
export function namespaceCommand(setup: string, command: string, args: readonly string[]): readonly [string, readonly string[]] {
  const flags = isRoot() ? ['-m'] : ['-Urm'];
  return ['unshare', [...flags, 'sh', '-c', `${setup} && exec "$@"`, 'sh', command, ...args]];
}

/** Starts a program that sees the plain files of `treeFolder` (see `writePlainGpioTree`) as its `/sys/class/gpio`. Other classes of devices
 *  under `/sys/class` are hidden from it. */
export function spawnInGpioNamespace(
  treeFolder: string,
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): ChildProcess {
  const setup = `${emptyGpioClass} && mount --bind "$SICBO_GPIO_TREE" /sys/class/gpio`;
  const [program, all] = namespaceCommand(setup, command, args);
  return spawn(program, all, { ...options, env: { ...(options.env ?? process.env), SICBO_GPIO_TREE: treeFolder } });
}

/** Starts a program inside the mount namespace of the process `pid`. */
export function spawnBeside(pid: number, command: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  const flags = isRoot() ? ['-m'] : ['-m', '-U', '--preserve-credentials'];
  const cwd = String(options.cwd ?? process.cwd());
  const shell = ['sh', '-c', 'cd "$1" && shift && exec "$@"', 'sh', cwd, command, ...args];
  return spawn('nsenter', ['-t', String(pid), ...flags, '--', ...shell], options);
}

/** Shell text that leaves `/sys/class/gpio` an empty folder. */
export const emptyGpioClass = 'mount -t tmpfs tmpfs /sys/class && mkdir /sys/class/gpio';

/** Why lines that behave like sysfs (`startGpioTree`) cannot be simulated on this machine, for people; null when they can. Plain files need the
 *  namespace only. */
export function gpioSimulationObstacle(): { readonly missing: 'namespace' | 'fuse'; readonly detail: string } | null {
  const attempt = (script: string) => {
    const [program, args] = namespaceCommand(emptyGpioClass, 'sh', ['-c', script]);
    const { status, error, stderr } = spawnSync(program, args, { encoding: 'utf8' });
    return status === 0 ? null : (error?.message ?? stderr).trim();
  };
  const namespaceError = attempt('true');
  if (namespaceError !== null) {
    return { missing: 'namespace', detail: `no mount namespace: ${namespaceError}; run as root or allow user namespaces` };
  }
  const fuseError = attempt('exec 3<>/dev/fuse');
  return fuseError === null
    ? null
    : { missing: 'fuse', detail: `no FUSE: ${fuseError}; run as root or give this user /dev/fuse` };
}

const isRoot = () => process.getuid?.() === 0;
