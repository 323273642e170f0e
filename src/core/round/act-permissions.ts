import type { ActFact } from './facts.ts';
import type { Person, Role } from './person.ts';

/** Who may ask for what on their own (design section 1). An administrator has no act on a round. */
const rolesOf: Readonly<Record<ActFact['kind'], readonly Role[]>> = {
  openRequested: ['dealer', 'supervisor'],
  closeBettingRequested: ['dealer', 'supervisor'],
  shakeRequested: ['dealer', 'supervisor'],
  holdRequested: ['dealer', 'supervisor'],
  resumeRequested: ['supervisor'],
  // A dealer may only be one of the two persons who void a round whose faces were read: see `mayVoidAfterReading`.
  voidRequested: ['dealer', 'supervisor'],
  unlockRequested: ['technician', 'supervisor'],
};

/** True when a person of this role may ask for the act at all. */
export function mayAsk(by: Person, act: ActFact['kind']): boolean {
  return rolesOf[act].includes(by.role);
}

/** True when the two are different persons. Names are compared without case and outer spaces, so nobody is their own second. */
export function areDifferent(by: Person, second: Person): boolean {
  return by.name.trim().toLowerCase() !== second.name.trim().toLowerCase();
}

/** True when these two may void a round whose faces were read: two different persons of the table, one of them a supervisor. */
export function mayVoidAfterReading(by: Person, second: Person): boolean {
  const roles = [by.role, second.role];
  return areDifferent(by, second) && roles.includes('supervisor') && roles.every((role) => rolesOf.voidRequested.includes(role));
}

/** True when these two may clear a fault lock: a technician and a supervisor, in either order. */
export function mayUnlock(by: Person, second: Person): boolean {
  const roles = [by.role, second.role];
  return areDifferent(by, second) && roles.includes('technician') && roles.includes('supervisor');
}
