import { z } from 'zod';
import { allZones } from '../core/rules/zones.ts';
import { playSchema, wholeNumber } from './play-keys.ts';

/** Largest line offset on a GPIO chip, and with it the largest place of a lamp; a chain ends at its registers. */
const lineMax = 1_023;

const text = (description: string, format = 'text of 1 to 200 characters') =>
  z.string().min(1).max(200).meta({ description, format });
const path = (description: string) => text(description, 'path; a relative one starts at the folder of this file');
const line = (description: string) => wholeNumber(0, lineMax, 'line offset on the chip', description);

/** What stands where a key is left out that only some kinds of camera or lamps may have: a schema default would fill it in for every kind.
 *  14 registers have 112 outputs for the 110 zones. */
export const kindDefaults = { frameIntervalMs: 100, registerCount: 14, isActiveLow: false, refreshMs: 500 } as const;

/** A section of the file. A missing one is read as an empty one, so that each key it lacks is named. */
function section<Shape extends z.core.$ZodLooseShape>(description: string, shape: Shape) {
  return z
    .strictObject(shape)
    .prefault({} as never)
    .meta({ description });
}

/** `table.toml`: the whole configuration of one table. A key that is not here is an error. Rules over several keys are in `config-problems.ts`. */
export const tableSchema = z.strictObject({
  table: section('Which table this is and what is played at it', {
    id: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,31}$/)
      .meta({
        description: 'Name of the table in the journal and the feed; never changed',
        format: 'lower-case letters, digits, dashes; at most 32',
      }),
    name: text('What people call the table; shown on the display'),
    house: text('House that is played', 'id of a house (see "sicbo rules"), or path of a house file'),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .meta({
        description: 'Currency of amounts; the one of the house when left out',
        format: 'three capital letters (ISO 4217)',
      })
      .exactOptional(),
  }),
  play: playSchema
    .prefault({})
    .meta({ description: 'How the table plays. A key left out has the value of the house, or else the default' }),
  shaker: section('The dice shaker', {
    path: path('Serial port of the shaker; best a link under /dev/serial/by-id, which keeps its name'),
    replyMsMax: wholeNumber(50, 10_000, 'ms', 'Longest wait for an answer of the shaker').default(500),
    heartbeatMs: wholeNumber(
      100,
      10_000,
      'ms',
      'Time between two signs of life; after two without answer the shaker is offline',
    ).default(1_000),
    deviceId: text('Id that the shaker must show; any shaker is taken when left out').exactOptional(),
  }),
  camera: section('The camera over the dice', {
    kind: z
      .enum(['mjpeg', 'directory'])
      .meta({ description: 'Where pictures come from: MJPEG over HTTP, or a folder of JPEG files' }),
    url: z
      .url({ protocol: /^https?$/ })
      .max(500)
      .meta({ description: 'Address of the MJPEG stream; only with kind "mjpeg"', format: 'http:// or https:// address' })
      .exactOptional(),
    user: text('Name for a camera that asks for one; only with kind "mjpeg" and passwordFile').exactOptional(),
    passwordFile: path('File whose first line is the password of the camera; only with user').exactOptional(),
    folder: path('Folder of the pictures; only with kind "directory"').exactOptional(),
    frameIntervalMs: wholeNumber(10, 10_000, 'ms', 'Time between two pictures; only with kind "directory"')
      .meta({ whenLeftOut: kindDefaults.frameIntervalMs })
      .exactOptional(),
    silenceMsMax: wholeNumber(
      200,
      60_000,
      'ms',
      'Longest time without a whole picture before the camera counts as offline',
    ).default(1_000),
    calibrationFile: path('Calibration made by "sicbo calibrate fit"').default('calibration.json'),
  }),
  lamps: section('The lamps under the felt', {
    kind: z.enum(['none', 'chain-74hc595', 'direct']).meta({
      description: 'No lamps; a chain of 74HC595 shift registers; or one GPIO line a zone',
    }),
    chipLabel: text('Label of the GPIO chip as /sys/class/gpio/gpiochip*/label shows it; not with kind "none"').exactOptional(),
    dataLine: line('SER of the first register; only with kind "chain-74hc595"').exactOptional(),
    clockLine: line('SRCLK of all registers; only with kind "chain-74hc595"').exactOptional(),
    latchLine: line('RCLK of all registers; only with kind "chain-74hc595"').exactOptional(),
    outputEnableLine: line('OE of all registers; only with kind "chain-74hc595"').exactOptional(),
    registerCount: wholeNumber(1, 64, 'registers', 'Registers in the chain; only with kind "chain-74hc595"')
      .meta({ whenLeftOut: kindDefaults.registerCount })
      .exactOptional(),
    isActiveLow: z
      .boolean()
      .meta({ description: 'A lamp is lit by a low level; not with kind "none"', whenLeftOut: kindDefaults.isActiveLow })
      .exactOptional(),
    refreshMs: wholeNumber(50, 900, 'ms', 'Time after which all outputs are written again; not with kind "none"')
      .meta({ whenLeftOut: kindDefaults.refreshMs })
      .exactOptional(),
    zones: z
      .strictObject(
        Object.fromEntries(
          allZones.map((zone) => [zone.id, wholeNumber(0, lineMax, 'output or line offset', '').exactOptional()]),
        ),
      )
      .meta({
        description: 'Place of each zone\'s lamp, see above; not with kind "none"',
        format: 'table of zone id = place, places 0 to 1023',
      })
      .exactOptional(),
  }),
  journal: section('The record of every round', {
    path: path('Database file of the journal').default('journal/journal.sqlite'),
    anchorFolder: path('Folder of the signed anchor, outside the folder of the journal, at best on another disk').default(
      'anchor',
    ),
    evidenceFolder: path('Folder of the pictures that are kept as evidence').default('evidence'),
    evidenceMbMax: wholeNumber(100, 10_000_000, 'MB', 'Size of the evidence above which the oldest pictures are removed').default(
      20_000,
    ),
    diskFreeMbMin: wholeNumber(50, 1_000_000, 'MB', 'Free disk space below which the table warns').default(500),
  }),
  api: section('The server for displays and operators', {
    host: text('Address to listen on; 0.0.0.0 lets displays on other machines in', 'host name or IP address').default(
      '127.0.0.1',
    ),
    port: wholeNumber(0, 65_535, 'port', 'TCP port; 0 takes any free one').default(8_080),
    displayLanguage: z.enum(['en', 'ru', 'ja', 'fr', 'tr']).meta({ description: 'Language of the display' }).default('en'),
    listenersMax: wholeNumber(1, 10_000, 'listeners', 'Most listeners of the feed at one time').default(2_000),
    heartbeatMs: wholeNumber(500, 10_000, 'ms', 'Time between two signs of life on the feed').default(5_000),
  }),
  log: section('The log for technicians', {
    level: z.enum(['error', 'warn', 'info', 'debug']).meta({ description: 'How much is written to the log' }).default('info'),
  }),
});

/** `table.toml` as written, with defaults filled in. */
export type TableFile = z.infer<typeof tableSchema>;
