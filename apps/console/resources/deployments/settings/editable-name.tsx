import { checkDeploymentName, writtenText } from '@moorage/domain';
import { Pencil } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { ApiError } from '../../../data/errors';
import { type Deployment, useRename } from '../../../data/deployments';
import { useText } from '../../../texts/console-i18n';
import { messageText } from '../../../texts/locale';
import { refusalText } from '../../../data/problem-message';
import { useIsOwner, useIsVerified } from '../actions';
import { Button, IconButton } from '../../../ui/button';

/** Name as the heading of the details, with a form to rename in its place. */
export function EditableName({
  deployment,
  heading,
  headingId,
}: {
  deployment: Deployment;
  heading: RefObject<HTMLHeadingElement | null>;
  headingId: string;
}) {
  const t = useText();
  const pencil = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const isVerified = useIsVerified();
  const mayRename = useIsOwner(deployment) && isVerified;
  const close = (): void => {
    setOpen(false);
    // The button exists again after the next paint.
    requestAnimationFrame(() => pencil.current?.focus());
  };
  return (
    <>
      <div className={isOpen ? 'vh' : 'name-of'}>
        <h2 id={headingId} ref={heading} tabIndex={-1}>
          {deployment.client_name}
        </h2>
        {mayRename && !isOpen ? (
          <IconButton
            ref={pencil}
            icon={Pencil}
            size="small"
            label={t('deployments.name.change')}
            title={t('deployments.name.change')}
            onClick={() => setOpen(true)}
          />
        ) : null}
      </div>
      {isOpen ? <NameForm deployment={deployment} onClose={close} /> : null}
    </>
  );
}

function NameForm({ deployment, onClose }: { deployment: Deployment; onClose: () => void }) {
  const t = useText();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(deployment.client_name);
  const [problem, setProblem] = useState<string | null>(null);
  const { mutate, isPending } = useRename(deployment.id);
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);

  const refuse = (words: string): void => {
    setProblem(words);
    input.current?.focus();
  };
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (isPending) return;
    const name = writtenText(typed);
    if (name === deployment.client_name) return onClose();
    const wrong = checkDeploymentName(name);
    if (wrong !== null) return refuse(messageText(wrong));
    mutate(name, {
      onSuccess: onClose,
      onError: (error) => {
        const field = error instanceof ApiError ? error.fields[0] : undefined;
        refuse(field === undefined ? refusalText(error, t('deployments.name.failed')) : messageText(field.message));
      },
    });
  };
  // Esc cancels renaming and does not close the details.
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  };
  return (
    <form className="name-form" onSubmit={save} onKeyDown={onKeyDown}>
      <span className={problem === null ? 'in' : 'in bad'}>
        <input
          ref={input}
          aria-label={t('deployments.columns.name')}
          aria-invalid={problem !== null}
          aria-describedby={problem === null ? undefined : id}
          autoComplete="off"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setProblem(null);
          }}
        />
      </span>
      <Button type="submit" kind="primary" size="small" busy={isPending}>
        {t('deployments.name.save')}
      </Button>
      <Button size="small" onClick={onClose}>
        {t('layout.cancel')}
      </Button>
      {problem === null ? null : (
        <p className="hint wrong" id={id} role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
