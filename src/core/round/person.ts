export type Role = 'dealer' | 'supervisor' | 'technician' | 'administrator';

/** Who did something. Until pages with logins exist the name is what the caller on the loopback address claims. */
export interface Person {
  readonly name: string;
  readonly role: Role;
}
