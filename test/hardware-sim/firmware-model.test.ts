import { beforeEach, describe, expect, it } from 'vitest';
import { decodeDeviceLine, encodeRequest } from '../../firmware-protocol/codec.ts';
import type { Answer, Question, Report } from '../../firmware-protocol/messages.ts';
import { blankMemory, type FirmwareMemory } from '../../hardware-sim/firmware-memory.ts';
import { FirmwareModel } from '../../hardware-sim/firmware-model.ts';
import { evenTumbles, type OnActivation } from '../../hardware-sim/shaker-physics.ts';
import { VirtualClock } from '../virtual-clock.ts';

let clock: VirtualClock;
let memory: FirmwareMemory;
let model: FirmwareModel;
let said: (Answer | Report)[];
let requestNumber = 0;

function start(onActivation: OnActivation = evenTumbles, hasCover = true): void {
  model = new FirmwareModel({
    clock,
    memory,
    hasCover,
    onActivation,
    send: (line, message) => {
      expect(decodeDeviceLine(line.subarray(0, -1)).kind).toBe('message');
      said.push(message);
    },
  });
}

/** Asks and gives the answer's fields in one word or object. */
function ask(question: Question, session = '5e1f'): Answer {
  requestNumber += 1;
  said = [];
  model.receive(encodeRequest({ kind: 'request', number: requestNumber, session, said: question }));
  const answer = said.find((one) => one.verb === question.verb || one.verb === 'refused');
  if (answer === undefined) throw new Error(`no answer to ${question.verb}`);
  return answer as Answer;
}

const hello = (session = '5e1f') => ask({ verb: 'hello', fields: { protocol: 1 } }, session);
const shake = (order: number, activations = 1, tumbles = 3, by = 4_000_000) =>
  ask({ verb: 'shake', fields: { order, activations, tumbles, by } });
const refused = (cause: string) => ({ verb: 'refused', fields: { cause } });
const last = () => ask({ verb: 'last', fields: {} }).fields;
const ping = () => ask({ verb: 'ping', fields: {} });

/** Passes time as a host that is there: a heartbeat each second. */
async function beside(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1_000) {
    ping();
    await clock.advance(1_000);
  }
}

beforeEach(() => {
  clock = new VirtualClock();
  memory = blankMemory();
  said = [];
  start();
});

describe('before a handshake the firmware', () => {
  it('refuses everything but hello and stop', () => {
    expect(shake(1)).toEqual(refused('no-session'));
    expect(ping()).toEqual(refused('no-session'));
    expect(ask({ verb: 'stop', fields: {} })).toEqual({ verb: 'stop', fields: {} });
    expect(ask({ verb: 'hello', fields: { protocol: 2 } })).toEqual(refused('protocol'));
    expect(shake(1)).toEqual(refused('no-session'));
    expect(memory.last.order).toBe(0);
  });
});

describe('an order', () => {
  beforeEach(() => void hello());

  it('is refused in the session of another host', () => {
    expect(ask({ verb: 'shake', fields: { order: 1, activations: 1, tumbles: 3, by: 9_999 } }, 'beef')).toEqual(
      refused('no-session'),
    );
  });

  it('is refused once its time has passed, and taken up to it', async () => {
    await clock.advance(1_000);
    expect(shake(1, 1, 3, 999)).toEqual(refused('too-late'));
    expect(shake(1, 1, 3, 1_000)).toEqual({ verb: 'shake', fields: { order: 1, taken: 'new' } });
  });

  it('runs once, however often it is given', async () => {
    expect(shake(4)).toMatchObject({ fields: { taken: 'new' } });
    expect(shake(4)).toMatchObject({ fields: { taken: 'again' } });
    await clock.advance(2_000);
    expect(shake(4)).toMatchObject({ fields: { taken: 'again' } });
    expect(shake(3)).toEqual(refused('old-order'));
    expect(model.motionCount).toBe(1);
    expect(last()).toEqual({ order: 4, kind: 'shake', outcome: 'settled', activations: 1, tumbles: 3 });
  });

  it('is refused while another runs, and outside of the limits', () => {
    expect(shake(1, 6)).toEqual(refused('out-of-range'));
    expect(shake(1, 1, 10)).toEqual(refused('out-of-range'));
    shake(1);
    expect(shake(2)).toEqual(refused('busy'));
    expect(model.motionCount).toBe(1);
  });

  it('is refused while the lid is open, the motor jammed, tamper sensed or the supply low', () => {
    model.setLid('open');
    expect(shake(1)).toEqual(refused('lid-open'));
    model.setLid('closed');
    model.jam();
    expect(shake(1)).toEqual(refused('jammed'));
    ask({ verb: 'clear', fields: {} });
    model.tamper();
    expect(shake(1)).toEqual(refused('tamper'));
    ask({ verb: 'clear', fields: {} });
    model.setSupply('low');
    expect(shake(1)).toEqual(refused('supply'));
    model.setSupply('ok');
    expect(shake(1)).toMatchObject({ fields: { taken: 'new' } });
  });

  it('is lost with the power, known as lost after the start, and not gone on with', async () => {
    shake(7);
    await clock.advance(130);
    model.powerOff();
    start();
    expect(memory.bootCount).toBe(2);
    hello('0002');
    expect(ask({ verb: 'last', fields: {} }, '0002').fields).toMatchObject({ order: 7, outcome: 'lost', tumbles: 1 });
    await clock.advance(2_000);
    expect(model.motionCount).toBe(0);
  });

  it('ends with a new session', () => {
    shake(1);
    hello('0002');
    expect(memory.last).toMatchObject({ order: 1, outcome: 'stopped' });
    expect(model.isMotorOn).toBe(false);
  });
});

describe('the motor', () => {
  it('stops by itself when the host goes quiet', async () => {
    start(async () => ({ tumbles: [], settledAtMs: null }));
    hello();
    shake(1);
    await clock.advance(2_499);
    expect(model.isMotorOn).toBe(true);
    await clock.advance(1);
    expect(model.isMotorOn).toBe(false);
    expect(memory.last.outcome).toBe('quiet');
    expect(ping()).toEqual(refused('no-session'));
  });

  it('stops by itself at its maximum duration, and the shake ends unsettled', async () => {
    start(() => new Promise(() => undefined));
    hello();
    shake(1);
    await beside(4_000);
    expect(model.isMotorOn).toBe(true);
    await beside(1_000);
    expect(model.isMotorOn).toBe(false);
    await beside(5_000);
    expect(memory.last).toMatchObject({ outcome: 'unsettled', tumbles: 0 });
  });

  it('stops before a stop is answered, and at once when the lid opens', () => {
    hello();
    shake(1);
    ask({ verb: 'stop', fields: {} });
    expect(said.map(({ verb }) => verb)).toEqual(['ended', 'stop']);
    shake(2);
    model.setLid('open');
    expect(model.isMotorOn).toBe(false);
    expect(memory.last).toMatchObject({ order: 2, outcome: 'lid-open' });
  });

  it('does not hear the tumbles of an activation that was given up', async () => {
    let answerLate: () => void = () => undefined;
    start(
      ({ activationNumber }) =>
        new Promise((resolve) => {
          const course = { tumbles: [{ atMs: 1, strengthMilliG: 900 }], settledAtMs: 400 };
          if (activationNumber === 1) answerLate = () => resolve(course);
          else setImmediate(() => resolve({ tumbles: [], settledAtMs: 2_000 }));
        }),
    );
    hello();
    shake(1, 2);
    await beside(10_000);
    answerLate();
    await beside(3_000);
    expect(memory.last).toMatchObject({ outcome: 'settled', activations: 2, tumbles: 0 });
  });
});

describe('the cover', () => {
  it('ends its order when the sensor reads the position', async () => {
    hello();
    expect(ask({ verb: 'cover', fields: { order: 1, to: 'open', by: 500 } })).toMatchObject({ fields: { taken: 'new' } });
    await clock.advance(800);
    expect(said.map(({ verb }) => verb)).toEqual(['cover', 'cover', 'cover', 'ended']);
    expect(memory.last).toMatchObject({ kind: 'cover', outcome: 'done' });
  });

  it('is refused by a shaker that has none', () => {
    start(evenTumbles, false);
    hello();
    expect(ask({ verb: 'cover', fields: { order: 1, to: 'open', by: 500 } })).toEqual(refused('no-cover'));
  });
});
