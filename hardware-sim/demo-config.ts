/** Countdowns of the demo, shortened by `speed`. */
export interface DemoTiming {
  readonly speed: number;
}

export interface DemoTableOptions {
  readonly house: string;
  readonly orderOfPlay: 'bets-first' | 'shake-first' | null;
  readonly timing: DemoTiming;
  readonly port: number;
  readonly link: string;
  readonly cameraUrl: string;
  readonly calibrationFile: string;
  /** The keys of the `[lamps]` section. */
  readonly lamps: string;
}

/** Countdowns at speed 1, ms. Shorter than on a casino floor, long enough to see each phase. */
const countdownsMs = { betting: 12_000, noMoreBets: 1_500, review: 4_000, nextRound: 2_500 };

/** The demo's table.toml. */
export function demoTable({
  house,
  orderOfPlay,
  timing,
  port,
  link,
  cameraUrl,
  calibrationFile,
  lamps,
}: DemoTableOptions): string {
  const ms = (countdown: number, msMin: number): number => Math.max(msMin, Math.round(countdown / timing.speed));
  return `# Written by the demo at each start.
[table]
id = "demo"
name = "Demo table"
house = ${JSON.stringify(house)}

[play]
${orderOfPlay === null ? '' : `orderOfPlay = "${orderOfPlay}"\n`}bettingMs = ${ms(countdownsMs.betting, 500)}
noMoreBetsMs = ${ms(countdownsMs.noMoreBets, 100)}
reviewMs = ${ms(countdownsMs.review, 200)}
nextRoundMs = ${ms(countdownsMs.nextRound, 100)}
settleMs = ${Math.max(400, Math.min(1_000, Math.round(1_000 / timing.speed)))}
isUnattended = true
roundsPerHourMax = 0

[shaker]
path = ${JSON.stringify(link)}

[camera]
kind = "mjpeg"
url = ${JSON.stringify(cameraUrl)}
silenceMsMax = 5000
calibrationFile = ${JSON.stringify(calibrationFile)}

[lamps]
${lamps}

[journal]
path = "journal/journal.sqlite"
anchorFolder = "anchor"
evidenceFolder = "evidence"
evidenceMbMax = 500

[api]
host = "127.0.0.1"
port = ${port}
`;
}
