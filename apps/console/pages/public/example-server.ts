import { Money, quotePrice, type SupportLevel } from '@moorage/domain';
import { type ExampleServer, loadExampleServer } from '../../data/public-catalogue';
import { useAnswer } from './use-answer';

const LIKELY: ExampleServer = { cpu: 2, memory: 4, region: 'Falkenstein', hourly: 0.0356 };

export interface ShownExample {
  /** Null if nothing is offered or the catalogue could not be loaded. */
  readonly server: ExampleServer | null;
  /** Class of everything that shows the example. */
  readonly className: string | undefined;
}

/** Loads the example. Until the catalogue has loaded, a likely one reserves the space invisibly. */
export function useExampleServer(): ShownExample {
  const { answer } = useAnswer(loadExampleServer);
  switch (answer.state) {
    case 'waiting':
      return { server: LIKELY, className: 'later' };
    case 'there':
      return { server: answer.data, className: undefined };
    case 'failed':
      return { server: null, className: undefined };
  }
}

/** Returns the price per day in currency units. */
export const dailyOf = ({ hourly }: ExampleServer, supportLevel: SupportLevel): number =>
  quotePrice({ serverType: 'new', supportLevel, instanceHourly: Money.of(hourly) }).daily.toWire();
