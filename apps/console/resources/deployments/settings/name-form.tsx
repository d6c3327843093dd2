import { checkDeploymentName, writtenText } from '@moorage/domain';
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { ApiError } from '../../../data/errors';
import { type Deployment, useRename } from '../../../data/deployments';
import { useText } from '../../../texts/console-i18n';
import { messageText } from '../../../texts/locale';
import { refusalText } from '../../../data/problem-message';
import { Button } from '../../../ui/button';

/** Form for the name. In place of the heading it takes the focus and can be cancelled. */
export function NameForm({
  deployment,
  isInPlace = false,
  onClose = () => undefined,
}: {
  deployment: Deployment;
  isInPlace?: boolean;
  onClose?: () => void;
}) {
  const t = useText();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(deployment.client_name);
  const [problem, setProblem] = useState<string | null>(null);
  const { mutate, isPending } = useRename(deployment.id);
  useEffect(() => {
    if (!isInPlace) return;
    input.current?.focus();
    input.current?.select();
  }, [isInPlace]);

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
    if (event.key !== 'Escape' || !isInPlace) return;
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
      {isInPlace ? (
        <Button size="small" onClick={onClose}>
          {t('layout.cancel')}
        </Button>
      ) : null}
      {problem === null ? null : (
        <p className="hint wrong" id={id} role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
