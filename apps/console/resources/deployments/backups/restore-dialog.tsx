import { type FormEvent, useId, useState } from 'react';
import { useText } from '../../../texts/console-i18n';
import { ReasonField } from '../../../ui/form/reason-field';
import { isOver } from '../../../parts/deployment/deployment-messages';
import { copyName } from './copy-messages';
import { CreateFields } from './create-fields';
import type { RestoreProps } from './restore-act';
import { type Answer, Answers, Consequences, ReleaseNotes } from './restore-choices';
import { useCreate } from './use-create';
import { useReplace } from './use-replace';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import './restore-dialog.css';

/** Offers two choices, to replace the data or to create a new deployment, with their effects and costs. */
export function RestoreDialog(props: RestoreProps) {
  const { copy, deployment, backups, rights, now, onClose } = props;
  const t = useText();
  const id = useId();
  const mayReplace = deployment !== undefined && !isOver(deployment) && rights.mayRestore;
  const [answer, setAnswer] = useState<Answer>(mayReplace ? 'replace' : 'create');
  const replace = useReplace(props);
  const create = useCreate(props);
  const act = answer === 'replace' ? replace : create;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (act.whyNot === null && !act.isBusy) act.run();
  };
  const at = copyName(copy, now);
  return (
    <Dialog
      onClose={onClose}
      onSubmit={submit}
      width="own"
      className="restore-dialog"
      refusal={act.refusal}
      title={t(mayReplace ? 'backups.restore.title' : 'backups.restore.title_new', { at })}
      actions={
        <>
          <Button onClick={onClose}>{t('layout.cancel')}</Button>
          <Button
            type="submit"
            kind="primary"
            aria-disabled={act.whyNot !== null || act.isBusy ? true : undefined}
            aria-describedby={act.whyNot === null ? undefined : `${id}-why`}
          >
            {t(act.isBusy ? act.busyLabel : act.label)}
          </Button>
        </>
      }
    >
      {mayReplace ? (
        <Answers deployment={deployment} answer={answer} mayCreate={rights.isOwner} onChoose={setAnswer} />
      ) : null}
      {answer === 'replace' ? (
        <>
          <Consequences copy={copy} backups={backups} now={now} isOwner={rights.isOwner} />
          {rights.isOwner ? null : <ReasonField value={replace.reason} onChange={replace.setReason} />}
        </>
      ) : (
        <CreateFields form={create.form} deployment={deployment} problems={create.problems} />
      )}
      <ReleaseNotes answer={answer} copy={copy} backups={backups} />
      {act.whyNot === null ? null : (
        <p className="small soft why-not" id={`${id}-why`}>
          {act.whyNot}
        </p>
      )}
    </Dialog>
  );
}
