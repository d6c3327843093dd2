import { Pencil } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import type { Deployment } from '../../../data/deployments';
import { useText } from '../../../texts/console-i18n';
import { useActsAsOwner, useIsVerified } from '../actions';
import { IconButton } from '../../../ui/button';
import { NameForm } from './name-form';
import './editable-name.css';

/** Name as the heading of the panel or the page, with a form to rename in its place. */
export function EditableName({
  deployment,
  heading,
  headingId,
  level,
}: {
  deployment: Deployment;
  heading: RefObject<HTMLHeadingElement | null>;
  headingId: string;
  level: 1 | 2;
}) {
  const t = useText();
  const Heading = `h${level}` as const;
  const pencil = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const isVerified = useIsVerified();
  const mayRename = useActsAsOwner(deployment) && isVerified;
  const close = (): void => {
    setOpen(false);
    // The button exists again after the next paint.
    requestAnimationFrame(() => pencil.current?.focus());
  };
  return (
    <>
      <div className={isOpen ? 'vh' : 'name-of'}>
        <Heading id={headingId} ref={heading} tabIndex={-1}>
          {deployment.client_name}
        </Heading>
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
      {isOpen ? <NameForm deployment={deployment} isInPlace onClose={close} /> : null}
    </>
  );
}
