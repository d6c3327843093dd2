import { describe, expect, it } from '@jest/globals';
import { perDayAndMonth, refundOfToday } from './refund';

const at = (time: string): number => Date.parse(`2026-11-21T${time}Z`);

describe('refund for today when a deployment stops', () => {
  it.each([
    ['14:20:00', 9, 0.3204],
    ['14:00:00', 10, 0.356],
    ['00:00:00', 24, 0.8544],
    ['23:00:01', 0, 0],
  ])('at %s is %d hours, %d', (time, hours, amount) => {
    expect(refundOfToday({ hourly_cost: 0.0356 }, at(time))).toEqual({ hours, amount });
  });

  it('is calculated by the day and by the month of 30 days', () => {
    expect(perDayAndMonth(0.0356)).toEqual({ daily: 0.8544, monthly: 25.632 });
  });
});
