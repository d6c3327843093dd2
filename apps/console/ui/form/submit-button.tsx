import { type FieldValues, useFormState, useWatch } from 'react-hook-form';
import { Button } from '../button';

/** Submit button of a form. */
export function SubmitButton<Values extends FieldValues>({
  isReady = () => true,
  ...labels
}: {
  label: string;
  busyLabel: string;
  /** Returns whether the values can be submitted. The button is disabled until then. */
  isReady?: (values: Values) => boolean;
}) {
  const { isSubmitting } = useFormState();
  const values = useWatch<Values>();
  return <SubmitLook {...labels} busy={isSubmitting} isReady={isReady(values as Values)} />;
}

/** Submit button that does not know its form. */
export function SubmitLook({
  label,
  busyLabel,
  busy,
  isReady = true,
}: {
  label: string;
  busyLabel: string;
  busy: boolean;
  isReady?: boolean;
}) {
  return (
    <Button type="submit" kind="primary" busy={busy} disabled={!isReady}>
      {busy ? busyLabel : label}
    </Button>
  );
}
