import { describe, expect, it } from '@jest/globals';
import { chartShape } from './chart-shape';
import { runwayOf } from '../../pages/billing/testing';

const { days } = runwayOf();

describe.each([320, 640, 900])('chart drawn %d px wide', (width) => {
  const shape = chartShape(days, width);

  it('stays inside its bounds', () => {
    for (const { x, width: barWidth, parts } of shape.bars) {
      expect(x).toBeGreaterThanOrEqual(shape.left);
      expect(x + barWidth).toBeLessThanOrEqual(width);
      for (const { y, height } of parts) {
        expect(y).toBeGreaterThan(0);
        expect(y + height).toBeLessThanOrEqual(shape.base);
      }
    }
  });

  it('stacks the buckets of today without overlap: regular, signup, referral', () => {
    const [today] = shape.bars;
    expect(today?.parts.map(({ bucket }) => bucket)).toEqual(['regular', 'signup', 'referral']);
    const [regular, signup, referral] = today?.parts ?? [];
    expect((signup?.y ?? 0) + (signup?.height ?? 0)).toBeLessThan(regular?.y ?? 0);
    expect((referral?.y ?? 0) + (referral?.height ?? 0)).toBeLessThan(signup?.y ?? 0);
  });

  it('drops the line between the last paid day and the first unpaid day', () => {
    const end = shape.end?.x ?? 0;
    const [last, first] = [shape.bars[9], shape.bars[10]];
    expect(end).toBeGreaterThan((last?.x ?? 0) + (last?.width ?? 0));
    expect(end).toBeLessThan(first?.x ?? 0);
  });

  it('labels today and the last paid day', () => {
    expect(shape.bars[0]?.value).not.toBeNull();
    expect(shape.bars[9]?.value).not.toBeNull();
    expect(shape.bars[10]?.value).toBeNull();
  });
});

describe('chart after the end', () => {
  it('draws what others still spend, and nothing once nothing runs', () => {
    const after = days.map((day, index) => ({ ...day, lasts: index < 3, regular: 9, charged: index < 6 ? 1 : 0 }));
    const drawn = chartShape(after, 640).bars.map(({ parts }) => parts.length > 0);
    expect(drawn).toEqual(after.map((_, index) => index < 6));
  });
});

describe('chart on a phone', () => {
  it('labels every second day, and the first of a month instead of its neighbours', () => {
    expect(
      chartShape(days, 320)
        .bars.filter(({ showsDay }) => showsDay)
        .map(({ date }) => date.slice(8)),
    ).toEqual(['21', '23', '25', '27', '29', '01', '03']);
  });
});

describe('chart without an end in sight', () => {
  it('draws no line', () => {
    expect(chartShape(runwayOf({}, 14).days, 640).end).toBeNull();
  });

  it('draws only the axis when nothing is left', () => {
    const empty = days.map((day) => ({ ...day, regular: 0, referral: 0, signup: 0, total: 0 }));
    expect(chartShape(empty, 640).bars.every(({ parts }) => parts.length === 0)).toBe(true);
  });
});
