import { type FieldValues, useFormState, useWatch } from 'react-hook-form';
import { Button } from '../button';

/** Submit button of a form. */
export function SubmitButton<Values extends FieldValues>({
  label,
  isReady = () => true,
  ...look
}: {
  label: string | ((values: Values) => string);
  busyLabel: string;
  isDanger?: boolean;
  /** Returns whether the values can be submitted. The button is disabled until then. */
  isReady?: (values: Values) => boolean;
}) {
  const { isSubmitting } = useFormState();
  const values = useWatch<Values>() as Values;
  return (
    <SubmitLook
      {...look}
      label={typeof label === 'string' ? label : label(values)}
      busy={isSubmitting}
      isReady={isReady(values)}
    />
  );
}

/** Submit button that does not know its form. */
export function SubmitLook({
  label,
  busyLabel,
  busy,
  isDanger = false,
  isReady = true,
}: {
  label: string;
  busyLabel: string;
  busy: boolean;
  isDanger?: boolean;
  isReady?: boolean;
}) {
  return (
    <Button type="submit" kind={isDanger ? 'danger' : 'primary'} busy={busy} disabled={!isReady}>
      {busy ? busyLabel : label}
    </Button>
  );
}
