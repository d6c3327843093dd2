import { describe, expect, it } from '@jest/globals';
import { laterStart, lonelyPoints, rangeOf, seriesOf, timeTicks } from './series';
import { metricsOf, pointsOf } from './testing';

const iso = (seconds: number): string => new Date(seconds * 1_000).toISOString();

describe('line of a chart', () => {
  it('has a gap where spans have no point', () => {
    const points = pointsOf('24h', (index) => (index >= 10 && index < 20 ? null : { response_ms: index }));
    const { at, values } = seriesOf(metricsOf({ points }), ({ response_ms: ms }) => ms);
    expect(values.slice(8, 13)).toEqual([8, 9, null, 20, 21]);
    expect(at.slice(9, 12).map(iso)).toEqual([
      '2026-11-20T15:05:00.000Z',
      '2026-11-20T15:10:00.000Z',
      '2026-11-20T16:00:00.000Z',
    ]);
  });

  it('has a gap where a figure is missing', () => {
    const points = pointsOf('24h', (index) => (index === 4 ? { cpu_percent: null } : {}));
    const { values } = seriesOf(metricsOf({ points }), ({ cpu_percent: cpu }) => cpu);
    expect(values).toHaveLength(288);
    expect(values.slice(3, 6)).toEqual([12, null, 12]);
  });

  it('has points where values have no neighbour', () => {
    expect(lonelyPoints({ values: [5, null, 1, 2, null, 3, null, null, 4] })).toEqual([0, 5, 8]);
    expect(lonelyPoints({ values: [7] })).toEqual([0]);
  });

  it.each([
    [288 - 13, Date.parse('2026-11-21T13:15:00.000Z')],
    [12, Date.parse('2026-11-20T15:20:00.000Z')],
    [11, null],
    [288, null],
  ])('starts later if %d spans before it have no figure: %p', (missing, start) => {
    const points = pointsOf('24h', (index) => (index < missing ? null : {}));
    const metrics = metricsOf({ points });
    expect(
      laterStart(
        seriesOf(metrics, ({ cpu_percent: cpu }) => cpu),
        metrics,
      ),
    ).toBe(start);
  });

  it.each([
    [[30, null, 10, 20], { min: 10, median: 20, max: 30 }],
    [[4, 1, 3, 2], { min: 1, median: 2.5, max: 4 }],
    [[7], { min: 7, median: 7, max: 7 }],
    [[null], null],
    [[], null],
  ])('says of %j that its range is %j', (values, range) => {
    expect(rangeOf(values)).toEqual(range);
  });
});

describe('times on the axis', () => {
  it.each([
    ['24h', 640, '2026-11-20T16:00:00.000Z', 6, 4],
    ['24h', 320, '2026-11-20T18:00:00.000Z', 4, 6],
    ['7d', 640, '2026-11-15T00:00:00.000Z', 7, 24],
    ['30d', 640, '2026-10-24T00:00:00.000Z', 6, 120],
  ] as const)('of %s, %d px wide, are full hours and days in UTC', (period, width, first, count, hours) => {
    const ticks = timeTicks(metricsOf({ period }), width);
    expect([iso(ticks[0] ?? 0), ticks.length]).toEqual([first, count]);
    expect((ticks[1] ?? 0) - (ticks[0] ?? 0)).toBe(hours * 3_600);
  });
});
