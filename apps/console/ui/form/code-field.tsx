import { useState } from 'react';
import { usePublicText } from '../../texts/locale';
import { Field } from './field';
import type { FormField } from './use-form';
import { Button } from '../button';

/**
 * Field for the second factor. Phones show a numeric keypad. If `recovery` codes are accepted, a switch enables
 * letters.
 */
export function CodeField({
  field,
  recovery = true,
  autoFocus = false,
}: {
  field: FormField;
  recovery?: boolean;
  autoFocus?: boolean;
}) {
  const t = usePublicText();
  const [byRecovery, setByRecovery] = useState(false);
  return (
    <Field
      label={byRecovery ? t('code.recovery') : t('code.app')}
      autoComplete={byRecovery ? 'off' : 'one-time-code'}
      inputMode={byRecovery ? undefined : 'numeric'}
      autoFocus={autoFocus}
      field={field}
      aside={
        recovery ? (
          <Button kind="text" size="small" onClick={() => setByRecovery(!byRecovery)}>
            {byRecovery ? t('code.use_app') : t('code.use_recovery')}
          </Button>
        ) : undefined
      }
    />
  );
}
