import type { DeploymentDomainsAnswer, FurtherDomainAnswer } from '@moorage/contracts';
import { checkFurtherDomain, suggestedDomain } from '@moorage/domain';
import { useFormContext, useWatch } from 'react-hook-form';
import type { Deployment } from '../../../data/deployments';
import { useNames } from '../../../data/names';
import { problemText } from '../../../data/problem-message';
import { useAction } from '../../../data/use-action';
import { tidyDomain } from '../../../parts/order/domain-name';
import { useText } from '../../../texts/console-i18n';
import { bothForms } from '../../../ui/both-forms';
import { Button } from '../../../ui/button';
import { ConfirmDialog, useConfirmedAction } from '../../../ui/confirm-dialog';
import { CopyButton } from '../../../ui/copy-button';
import { ago } from '../../../ui/dates';
import { Dialog } from '../../../ui/dialog';
import { FormDialog } from '../../../ui/form/form-dialog';
import { TextInput } from '../../../ui/form/inputs';
import { MessageText } from '../../../ui/message-text';
import { useToast } from '../../../ui/use-toast';
import { CreateRecordsButton } from '../access/create-records';

interface Values {
  readonly host: string;
}

/** Form for a domain that redirects to `target`. */
export function AddDomain({
  deployment,
  domains,
  target,
  onClose,
}: {
  deployment: Deployment;
  domains: DeploymentDomainsAnswer;
  target: string;
  onClose: () => void;
}) {
  const t = useText();
  const toast = useToast();
  const add = useAction('deployments', 'addDomain');
  const submit = async (values: Values): Promise<void> => {
    const host = tidyDomain(values.host);
    await add.mutateAsync({ params: { id: deployment.id }, body: { host } });
    toast(t('domains.add.done', { host: bothForms(host) }));
    onClose();
  };
  return (
    <FormDialog<Values>
      width="wide"
      title={t('domains.add.title')}
      text={t('domains.add.text', { host: bothForms(target) })}
      defaultValues={{ host: '' }}
      onSubmit={submit}
      submit={{ label: t('domains.add.submit'), busyLabel: t('domains.add.busy') }}
      onClose={onClose}
    >
      <HostInput deployment={deployment} domains={domains} target={target} />
    </FormDialog>
  );
}

function HostInput({
  deployment,
  domains,
  target,
}: {
  deployment: Deployment;
  domains: DeploymentDomainsAnswer;
  target: string;
}) {
  const t = useText();
  const names = useNames();
  const { setValue } = useFormContext<Values>();
  const typed = useWatch<Values>({ name: 'host' });
  const listed = domains.domains.map(({ host }) => host);
  const suggested = suggestedDomain(deployment.domain ?? '', [target, ...listed]);
  const problemOf = (host: string) => checkFurtherDomain(tidyDomain(host), { names, own: [target], listed });
  return (
    <>
      <TextInput
        source="host"
        label={t('domains.add.host')}
        hint={t('domains.add.hint', { example: 'www.example.com' })}
        autoFocus
        validate={(host) => problemText(problemOf(host))}
      />
      {suggested === null || suggested === typed ? null : (
        <Button kind="text" size="small" onClick={() => setValue('host', suggested)}>
          {t('wizard.config.use', { value: bothForms(suggested) })}
        </Button>
      )}
    </>
  );
}

/** The DNS record that a domain needs, with the result of the last check. */
export function RecordDialog({
  deployment,
  domain: { host, record, checked_at: checked },
  now,
  onClose,
}: {
  deployment: Deployment;
  domain: FurtherDomainAnswer;
  now: number;
  onClose: () => void;
}) {
  const t = useText();
  return (
    <Dialog
      width="wide"
      className="domain-record"
      title={t('domains.record.title', { host: bothForms(host) })}
      text={t('domains.record.text')}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('layout.close')}</Button>}
    >
      <dl className="kv">
        <dt>{t('domains.record.type')}</dt>
        <dd>{record.type}</dd>
        <dt>{t('domains.record.host')}</dt>
        <dd>
          <span className="mono anywhere">{host}</span> <CopyButton value={host} what={t('domains.record.host')} />
        </dd>
        <dt>{t('domains.record.value')}</dt>
        <dd>
          <span className="mono anywhere">{record.value}</span>{' '}
          <CopyButton value={record.value ?? ''} what={t('domains.record.value')} />
        </dd>
      </dl>
      {record.reason === null ? null : (
        <p className="anywhere">
          <MessageText message={record.reason} />
        </p>
      )}
      {record.right === true || record.value === null ? null : (
        <CreateRecordsButton deployment={deployment} domain={host} />
      )}
      {checked === null ? null : <p className="hint">{t('domains.record.checked', { ago: ago(checked, now) })}</p>}
    </Dialog>
  );
}

export function RemoveDomain({
  id,
  domain,
  target,
  onClose,
}: {
  id: number;
  domain: FurtherDomainAnswer;
  target: string;
  onClose: () => void;
}) {
  const t = useText();
  const host = bothForms(domain.host);
  const requested = useConfirmedAction(
    useAction('deployments', 'removeDomain'),
    { params: { id, domain_id: domain.id } },
    { done: () => t('domains.removal.done', { host }), failed: t('domains.removal.failed'), onClose },
  );
  return (
    <ConfirmDialog
      title={t('domains.removal.title', { host })}
      cancelLabel={t('domains.removal.keep')}
      submit={{ label: t('domains.removal.submit'), busyLabel: t('domains.removal.busy'), isDanger: true, requested }}
      refusal={requested.refusal}
      onClose={onClose}
    >
      <p>{t('domains.removal.text', { host, target: bothForms(target) })}</p>
    </ConfirmDialog>
  );
}
