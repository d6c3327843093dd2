import { useState } from 'react';
import { usePublicText } from '../texts/locale';
import { Field } from './field';
import type { FormField } from './use-form';

/**
 * The second factor: digits of the app, for which a phone shows only digits; where `recovery` codes are taken too, a switch
 * brings its letters back.
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
          <button type="button" className="btn link sm" onClick={() => setByRecovery(!byRecovery)}>
            {byRecovery ? t('code.use_app') : t('code.use_recovery')}
          </button>
        ) : undefined
      }
    />
  );
}
