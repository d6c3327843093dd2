import { ACCESS_MESSAGES, checkGuessable, DomainError, type Message } from '@moorage/domain';
import { Random } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { FieldsInvalid } from '../http/field-problems';
import { ApiSettings, type PasswordCost } from '../settings';
import { COMMON_PASSWORDS } from './common-passwords';

/** OWASP's parameters for argon2id (the library's own default of the three). About 10 ms on one core. */
const ARGON2: PasswordCost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

/**
 * Limits hashing so that a flood of logins cannot occupy every thread of the process: two run, the others wait, and the
 * rest are refused.
 */
const AT_ONCE_MAX = 2;
const WAITING_MAX = 100;

/** User who chooses a password. */
interface Chooser {
  readonly username: string;
  readonly email: string;
}

@Injectable()
export class Passwords {
  private readonly cost: PasswordCost;
  private readonly brand: string;
  private readonly turns = createTurns();
  private dummyHash: string | undefined;

  constructor(
    private readonly random: Random,
    settings: ApiSettings,
  ) {
    this.cost = settings.passwordCost ?? ARGON2;
    this.brand = settings.brand.name;
  }

  /** Returns why this user may not choose the password, or null. */
  guessable(password: string, { username, email }: Chooser): Message | null {
    return checkGuessable(password, { username, email, brand: this.brand, common: COMMON_PASSWORDS });
  }

  /** Hashes a password chosen by a user. Throws FIELDS_INVALID at `path` if attackers would try it first. */
  async hashChosen(password: string, chooser: Chooser, path: string): Promise<string> {
    const message = this.guessable(password, chooser);
    if (message !== null) throw new FieldsInvalid([{ path, message }]);
    return this.hash(password);
  }

  hash(password: string): Promise<string> {
    return this.turns(() => hash(password, this.cost));
  }

  /**
   * Compares a password with a stored hash. If `stored` is null because the address is unknown, the same work is done
   * anyway, so that the time reveals nothing.
   */
  async matches(password: string, stored: string | null): Promise<boolean> {
    const against = stored ?? (this.dummyHash ??= await this.hash(this.random.text(32)));
    const right = await this.turns(() => verify(against, password));
    return right && stored !== null;
  }
}

function createTurns(): <T>(run: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (run) => {
    if (running >= AT_ONCE_MAX) {
      if (waiting.length >= WAITING_MAX) {
        throw new DomainError('SERVICE_UNAVAILABLE', ACCESS_MESSAGES.logins_crowded, { retry_after_s: 2 });
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running++;
    try {
      return await run();
    } finally {
      // The slot is handed to the next waiter, so the count stays the same. Without a waiter it is released.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
