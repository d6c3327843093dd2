import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Money } from '../money';
import { addDays, DAY_MS, dayOf, HOUR_MS, instant, startOfHour } from '../time';
import { owedForDay, type Rate, rateAt } from './hours';

const at = (time: string): number => instant(`2026-12-01T${time}Z`);
const hourly = (micros: number, from = 0): Rate => ({ from, hourly: Money.micros(BigInt(micros)) });
const DAY = '2026-12-01';

describe('billable hours', () => {
  it.each([
    ['from 13:17:05 to the end of the day', at('13:17:05'), null, 11],
    ['from exactly 13:00', at('13:00:00'), null, 11],
    ['from a millisecond before 14:00', at('13:59:59.999'), null, 11],
    ['ten minutes within an hour', at('10:30:00'), at('10:40:00'), 1],
    ['to exactly 11:00, so that the hour then beginning is free', at('10:30:00'), at('11:00:00'), 1],
    ['to a millisecond after 11:00', at('10:30:00'), at('11:00:00.001'), 2],
    ['an empty interval', at('10:30:00'), at('10:30:00'), 0],
    ['an interval that ends before it begins', at('10:30:00'), at('10:00:00'), 0],
    ['the whole day of an interval that began the day before', at('00:00:00') - HOUR_MS, null, 24],
    ['a day before the interval', at('00:00:00') + DAY_MS, null, 0],
    ['a day after the interval', at('00:00:00') - DAY_MS, at('00:00:00'), 0],
  ])('%s', (_, from, to, hours) => {
    expect(owedForDay(DAY, { from, to }, [hourly(35_600)])).toEqual({
      hours,
      amount: Money.micros(BigInt(hours * 35_600)),
    });
  });

  it('price the next hour after a level change, and at exactly hh:00 the hour then beginning (G04)', () => {
    const rates = [
      hourly(35_600),
      hourly(104_100, at('14:30:00')),
      hourly(309_600, at('18:05:00')),
      hourly(35_600, at('20:00:00')),
    ];
    const { amount } = owedForDay(DAY, { from: at('09:05:00'), to: at('22:15:00') }, rates);
    expect(amount.micros).toBe(1_046_400n);
  });

  it('price the first hour at the opening of the interval', () => {
    const rates = [hourly(10), hourly(20, at('10:15:00'))];
    expect(owedForDay(DAY, { from: at('10:20:00'), to: at('11:00:00') }, rates).amount.micros).toBe(20n);
    expect(owedForDay(DAY, { from: at('10:10:00'), to: at('11:00:00') }, rates).amount.micros).toBe(10n);
  });

  it('include every clock hour that the interval touches, at the price of its first billable instant, over all days', () => {
    const origin = at('00:00:00');
    const instants = fc.integer({ min: 0, max: 3 * DAY_MS }).map((ms) => origin + ms);
    const onTheHour = instants.map(startOfHour);
    const any = fc.oneof(instants, onTheHour);
    fc.assert(
      fc.property(
        any,
        any,
        fc.array(fc.tuple(any, fc.integer({ min: 0, max: 400_000 })), { maxLength: 5 }),
        (a, b, changes) => {
          const [from, to] = a <= b ? [a, b] : [b, a];
          const rates = [
            hourly(35_600),
            ...changes.map(([when, micros]) => hourly(micros, when)).sort((x, y) => x.from - y.from),
          ];
          let expected = 0n;
          for (let hour = origin; hour <= origin + 3 * DAY_MS; hour += HOUR_MS) {
            const first = Math.max(hour, from);
            if (first < Math.min(hour + HOUR_MS, to)) expected += rateAt(rates, first).micros;
          }
          let owed = 0n;
          for (let day = dayOf(origin); day <= dayOf(origin + 3 * DAY_MS); day = addDays(day, 1))
            owed += owedForDay(day, { from, to }, rates).amount.micros;
          expect(owed).toBe(expected);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
