import { Form, SubmitError } from '../../ui/form/form';
import { FormButtons } from '../../ui/form/form-buttons';

const NO_VALUES = {};

/** Form without fields to confirm a change. The call itself prompts for password and code. */
export function TwoFactorConfirmation({
  lead,
  label,
  busyLabel,
  onConfirm,
  onCancel,
}: {
  lead: string;
  label: string;
  busyLabel: string;
  onConfirm: () => Promise<void>;
  onCancel: () => void;
}) {
  return (
    <Form className="account-form" defaultValues={NO_VALUES} onSubmit={onConfirm}>
      <p className="soft">{lead}</p>
      <SubmitError />
      <FormButtons label={label} busyLabel={busyLabel} onCancel={onCancel} />
    </Form>
  );
}
