import { type ComponentProps, useState } from 'react';
import { usePublicText } from '../../texts/locale';
import { Field } from './field';
import type { TextControlProps } from './text-control';
import { Button } from '../button';

/** Field for the second factor on public pages. */
export function CodeField({ recovery = true, ...props }: CodeProps & Pick<ComponentProps<typeof Field>, 'field'>) {
  return <Field {...useCodeEntry(recovery)} {...props} />;
}

export interface CodeProps {
  /** Recovery codes are accepted. */
  recovery?: boolean;
  autoFocus?: boolean;
}

/**
 * Returns the props of a field for the second factor. Phones show a numeric keypad. If recovery codes are accepted, a
 * switch enables letters.
 */
export function useCodeEntry(recovery: boolean): TextControlProps & { autoComplete: string } {
  const t = usePublicText();
  const [byRecovery, setByRecovery] = useState(false);
  return {
    label: byRecovery ? t('code.recovery') : t('code.app'),
    autoComplete: byRecovery ? 'off' : 'one-time-code',
    inputMode: byRecovery ? undefined : 'numeric',
    aside: recovery ? (
      <Button kind="text" size="small" onClick={() => setByRecovery(!byRecovery)}>
        {byRecovery ? t('code.use_app') : t('code.use_recovery')}
      </Button>
    ) : undefined,
  };
}
