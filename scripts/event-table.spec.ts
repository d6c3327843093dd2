import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { EVENTS, type EventName, SUBSCRIPTIONS } from '@moorage/contracts';
import { eventSources, eventTable, handlersOf, sendersOf } from './event-table';

const sources = eventSources();
const names = Object.keys(EVENTS) as EventName[];

describe('every event', () => {
  it('is in the table of docs/events.md, which node scripts/documents.mjs writes', () => {
    const [, table = ''] = readFileSync('docs/events.md', 'utf8').split(/<!-- \/?events -->\n/);
    expect(table.trim()).toBe(eventTable());
  });

  it('is sent by some file', () => {
    expect(names.filter((name) => sendersOf(name, sources).length === 0)).toEqual([]);
  });

  it('is handled only by services that read its stream', () => {
    const deaf = names.flatMap((name) =>
      handlersOf(name, sources).filter((file) => {
        const service = file.split('/')[1] as keyof typeof SUBSCRIPTIONS;
        const streams: readonly string[] = SUBSCRIPTIONS[service];
        return !streams.includes(EVENTS[name].stream);
      }),
    );
    expect(deaf).toEqual([]);
  });
});
