import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { EVENTS } from '@moorage/contracts';
import { handlersOf } from '@moorage/runtime';
import type { Type } from '@nestjs/common';
import { type AddressedHint, HINTS } from './live/hints';
import { LiveEvents } from './live/live.events';
import { MailEvents } from './mail/mail.events';
import { SupportService } from './support/support.service';

/** Returns the events that methods of these classes handle. */
const handledBy = (...types: readonly Type[]): string[] =>
  types.flatMap((type) => Object.keys(handlersOf([Object.create(type.prototype as object) as object]).handlers)).sort();

const cells = readFileSync('docs/events.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()));
const namesWith = (column: number): string[] =>
  cells.filter((row) => row.at(column) !== '').map((row) => row[1]?.replaceAll('`', '') ?? '');

describe('events table in docs/events.md', () => {
  it('lists exactly the emails that the api has handlers for', () => {
    expect(namesWith(-2).sort()).toEqual(handledBy(MailEvents, SupportService));
  });

  it('lists the live updates of each event, all of which the api handles', () => {
    expect(handledBy(LiveEvents)).toEqual(Object.keys(EVENTS).sort());
    const data = { user_id: 1, deployment_id: 2, version: 3 };
    const kinds = Object.entries(HINTS).map(([name, hintsOf]) => [
      name,
      (hintsOf as (event: object) => AddressedHint[])({ sequence: 4, data })
        .map(({ hint }) => hint.kind)
        .sort(),
    ]);
    const listed = cells.map((row) => [
      row[1]?.replaceAll('`', ''),
      (row.at(-3) ?? '')
        .split(', ')
        .filter((kind) => kind !== '')
        .sort(),
    ]);
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(kinds));
  });
});
