import { checkPublicKeyLine, ORDER_MESSAGES, SSH_KEY_NAME_LENGTH_MAX, writtenText } from '@moorage/domain';
import { problemText } from '../../../data/problem-message';
import type { SshKey } from '../../../data/ssh-keys';
import { useAction } from '../../../data/use-action';
import { useText } from '../../../texts/console-i18n';
import { ConfirmDialog, useConfirmedAction } from '../../../ui/confirm-dialog';
import { FormDialog } from '../../../ui/form/form-dialog';
import { TextInput } from '../../../ui/form/inputs';
import { useToast } from '../../../ui/use-toast';

const EMPTY = { name: '', public_key: '' };

/** Dialog with the form for a new key. */
export function AddSshKey({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useText();
  const toast = useToast();
  const add = useAction('deployments', 'addSshKey');
  const submit = async ({ name, public_key }: typeof EMPTY): Promise<void> => {
    await add.mutateAsync({ params: { id }, body: { name: writtenText(name), public_key: writtenText(public_key) } });
    onClose();
    toast(t('ssh_keys.form.done'));
  };
  return (
    <FormDialog
      width="wide"
      title={t('ssh_keys.form.title')}
      text={t('ssh_keys.form.text')}
      defaultValues={EMPTY}
      onSubmit={submit}
      submit={{ label: t('ssh_keys.form.submit'), busyLabel: t('ssh_keys.form.busy') }}
      onClose={onClose}
    >
      <KeyFields />
    </FormDialog>
  );
}

function KeyFields() {
  const t = useText();
  return (
    <>
      <TextInput
        source="name"
        label={t('ssh_keys.form.name')}
        hint={t('ssh_keys.form.name_hint')}
        maxLength={SSH_KEY_NAME_LENGTH_MAX}
        validate={(name) =>
          problemText(writtenText(name) === '' ? ORDER_MESSAGES.name_length({ most: SSH_KEY_NAME_LENGTH_MAX }) : null)
        }
      />
      <TextInput
        source="public_key"
        label={t('ssh_keys.form.key')}
        hint={t('ssh_keys.form.key_hint')}
        placeholder="ssh-ed25519 AAAA... name@computer"
        rows={4}
        validate={(key) => problemText(checkPublicKeyLine(writtenText(key)))}
      />
    </>
  );
}

export function RemoveSshKey({ id, sshKey, onClose }: { id: number; sshKey: SshKey; onClose: () => void }) {
  const t = useText();
  const requested = useConfirmedAction(
    useAction('deployments', 'removeSshKey'),
    { params: { id, key_id: sshKey.id } },
    { done: () => t('ssh_keys.removal.done'), failed: t('ssh_keys.removal.failed'), onClose },
  );
  return (
    <ConfirmDialog
      title={t('ssh_keys.removal.title')}
      submit={{
        label: t('ssh_keys.removal.submit'),
        busyLabel: t('ssh_keys.removal.busy'),
        isDanger: true,
        requested,
      }}
      refusal={requested.refusal}
      onClose={onClose}
    >
      <p className="anywhere">{t('ssh_keys.removal.text', { name: sshKey.name })}</p>
    </ConfirmDialog>
  );
}
