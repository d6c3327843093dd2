import { checkDeploymentName, writtenText } from '@moorage/domain';
import { type ComponentProps, type KeyboardEvent, useId } from 'react';
import { useFormContext, useFormState } from 'react-hook-form';
import type { Deployment } from '../../../data/deployments';
import { problemText, refusalText } from '../../../data/problem-message';
import { useAction } from '../../../data/use-action';
import { useText } from '../../../texts/console-i18n';
import { Button } from '../../../ui/button';
import { Form } from '../../../ui/form/form';
import { useFormInput } from '../../../ui/form/use-form-input';
import { useProposedValue } from '../../../ui/form/use-proposed-value';
import './name-form.css';

/** Form for the name. In place of the heading it takes the focus and can be cancelled. */
export function NameForm({
  deployment: { id, client_name: current },
  isInPlace = false,
  onClose = () => undefined,
}: {
  deployment: Deployment;
  isInPlace?: boolean;
  onClose?: () => void;
}) {
  const t = useText();
  const { mutateAsync } = useAction('deployments', 'rename');
  const save: ComponentProps<typeof Form<{ name: string }>>['onSubmit'] = async ({ name: typed }, form) => {
    const name = writtenText(typed);
    if (name !== current) await mutateAsync({ params: { id }, body: { name } });
    // The name is stored without surplus spaces.
    form.setValue('name', name);
    onClose();
  };
  // Esc cancels renaming and does not close the details.
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isInPlace) return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  };
  return (
    <div className="grow" onKeyDown={onKeyDown}>
      <Form
        className="name-form"
        defaultValues={{ name: current }}
        onSubmit={save}
        refusal={(error) => refusalText(error, t('deployments.name.failed'))}
      >
        <NameInput current={current} isInPlace={isInPlace} />
        <SaveButton />
        {isInPlace ? (
          <Button size="small" onClick={onClose}>
            {t('layout.cancel')}
          </Button>
        ) : null}
      </Form>
    </div>
  );
}

/** Field without a visible label, because it is shown in place of the name. */
function NameInput({ current, isInPlace }: { current: string; isInPlace: boolean }) {
  const t = useText();
  const id = useId();
  const { errors } = useFormState();
  const { clearErrors } = useFormContext();
  const { inputRef, problem, onChange, ...input } = useFormInput<string, object>({
    source: 'name',
    validate: (typed) => problemText(checkDeploymentName(writtenText(typed))),
  });
  useProposedValue('name', current);
  const words = problem ?? errors.root?.serverError?.message ?? null;
  return (
    <>
      <span className={words === null ? 'in' : 'in bad'}>
        <input
          {...input}
          ref={inputRef}
          onChange={(event) => {
            clearErrors('root');
            onChange(event);
          }}
          aria-label={t('deployments.columns.name')}
          aria-invalid={words !== null}
          aria-describedby={words === null ? undefined : id}
          autoComplete="off"
          autoFocus={isInPlace}
          onFocus={isInPlace ? ({ target }) => target.select() : undefined}
        />
      </span>
      {words === null ? null : (
        <p className="hint wrong" id={id} role="alert">
          {words}
        </p>
      )}
    </>
  );
}

function SaveButton() {
  const t = useText();
  const { isSubmitting } = useFormState();
  return (
    <Button type="submit" kind="primary" size="small" busy={isSubmitting}>
      {t('deployments.name.save')}
    </Button>
  );
}
