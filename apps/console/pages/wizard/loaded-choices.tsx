import type { ComponentProps } from 'react';
import { errorText } from '../../data/problem-message';
import { Loaded } from '../../ui/card';

const ROWS = 3;

/** Choices that a query returns, with their loading and error states. */
export function LoadedChoices<T>({
  rows = ROWS,
  ...loaded
}: Pick<ComponentProps<typeof Loaded<T>>, 'query' | 'failed' | 'children'> & { rows?: number }) {
  return (
    <Loaded
      {...loaded}
      detail={choiceErrorText}
      skeleton={
        <div className="opts late" aria-hidden="true">
          {Array.from({ length: rows }, (_, row) => (
            <div key={row} className="opt skel tall" />
          ))}
        </div>
      }
    />
  );
}

/**
 * Returns the reason why choices could not be loaded. The specification hides "not found" in this flow. It means that
 * the user went back and the parent choice is gone.
 */
export const choiceErrorText = (error: Error): string => (/not found/i.test(error.message) ? '' : errorText(error));
