import { describe, expect, it } from '@jest/globals';
import { parseLogLines, stampInstant } from './log-line';

const parsed = (line: string) => parseLogLines(line)[0];

describe('lines of containers', () => {
  it('have a time in nanoseconds, a container and a text', () => {
    expect(parsed('2026-12-01T10:00:00.123456789Z pangolin Server  started')).toEqual({
      stamp: '2026-12-01T10:00:00.123456789Z',
      container: 'pangolin',
      text: 'Server  started',
      isCut: false,
    });
    expect(stampInstant('2026-12-01T10:00:00.123456789Z')).toBe(Date.UTC(2026, 11, 1, 10, 0, 0, 123));
  });

  it.each([
    ['2026-12-01T10:00:00Z app text', '2026-12-01T10:00:00.000000000Z'],
    ['2026-12-01T10:00:00.5Z app text', '2026-12-01T10:00:00.500000000Z'],
  ])('sort by their time, however many digits it has: %s', (line, stamp) => expect(parsed(line)?.stamp).toBe(stamp));

  it.each([
    ['colours', '\u001b[1;31mfailed\u001b[0m', 'failed'],
    ['links', '\u001b]8;;https://a.example\u0007here\u001b]8;;\u0007', 'here'],
    ['direction marks and control characters', 'a\u202eb\u0000c\u0007d', 'a b c d'],
    ['tabs', 'a\tb', 'a  b'],
    ['a carriage return', 'text\r', 'text'],
    ['bytes that are not UTF-8', 'a\ufffdb', 'a\ufffdb'],
    ['nothing', '', ''],
  ])('are shown without %s', (_name, text, shown) =>
    expect(parsed(`2026-12-01T10:00:00Z app ${text}`)?.text).toBe(shown),
  );

  it('that the server has cut are marked', () => {
    expect(parsed('2026-12-01T10:00:00Z app! te')).toMatchObject({ container: 'app', text: 'te', isCut: true });
  });

  it.each([
    '',
    'Error response from daemon: no logs',
    '2026-13-41T10:00:00Z app text',
    '2026-12-01T10:00:00Z',
    'x app text',
  ])('of another form are skipped: %s', (line) => expect(parseLogLines(line)).toEqual([]));
});
