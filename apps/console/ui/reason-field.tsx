import TextField from '@mui/material/TextField';
import { CONSTANTS } from '@moorage/domain';
import { useId } from 'react';
import { useText } from '../texts/console-i18n';

/** Whether the server accepts the reason. */
export const isReason = (text: string): boolean => text.trim().length >= CONSTANTS.actReasonLengthMin;

/** The reason why staff acts on a customer's deployment or account. The owner reads it. */
export function ReasonField({
  value,
  hasFocus = false,
  onChange,
}: {
  value: string;
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
        helperText={t('layout.reason.hint')}
        onChange={({ target }) => onChange(target.value)}
        slotProps={{ htmlInput: { autoComplete: 'off', maxLength: CONSTANTS.actReasonLengthMax } }}
      />
    </>
  );
}
