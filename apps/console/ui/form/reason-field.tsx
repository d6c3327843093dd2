import TextField from '@mui/material/TextField';
import { CONSTANTS } from '@moorage/domain';
import { useId } from 'react';
import { useText } from '../../texts/console-i18n';

/** Returns whether the server accepts the reason. */
export const isReason = (text: string): boolean => text.trim().length >= CONSTANTS.actReasonLengthMin;

/**
 * Reason why staff acts on a customer's deployment or account. The owner can read it unless the hint states otherwise.
 */
export function ReasonField({
  value,
  hint,
  hasFocus = false,
  onChange,
}: {
  value: string;
  hint?: string;
  hasFocus?: boolean;
  onChange: (value: string) => void;
}) {
  const t = useText();
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{t('layout.reason.label')}</label>
      <TextField
        id={id}
        fullWidth
        autoFocus={hasFocus}
        value={value}
        helperText={hint ?? t('layout.reason.hint')}
        onChange={({ target }) => onChange(target.value)}
        slotProps={{ htmlInput: { autoComplete: 'off', maxLength: CONSTANTS.actReasonLengthMax } }}
      />
    </>
  );
}
