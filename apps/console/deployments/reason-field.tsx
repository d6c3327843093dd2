import TextField from '@mui/material/TextField';
import { CONSTANTS } from '@moorage/domain';
import { useId } from 'react';
import { useText } from '../texts/console-i18n';

const LENGTH_MIN = 3;

/** Whether staff has given a reason that the server accepts. */
export const isReason = (text: string): boolean => text.trim().length >= LENGTH_MIN;

/** Why staff acts on a customer's deployment. The owner reads it. */
export function ReasonField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const t = useText();
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{t('deployments.reason.label')}</label>
      <TextField
        id={id}
        fullWidth
        value={value}
        helperText={t('deployments.reason.hint')}
        onChange={({ target }) => onChange(target.value)}
        slotProps={{ htmlInput: { autoComplete: 'off', maxLength: CONSTANTS.actReasonLengthMax } }}
      />
    </>
  );
}
