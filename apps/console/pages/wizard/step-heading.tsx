import { type ReactNode, useEffect, useRef } from 'react';
import { useWizard } from './wizard-context';

/**
 * Heading and introduction of a step. The heading takes the focus on a step change so that screen readers read it out,
 * unless `focus` is false because another element of the step takes it.
 */
export function StepHeading({
  title,
  focus = true,
  children,
}: {
  title: string;
  focus?: boolean;
  children?: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { arrived } = useWizard();
  const takesFocus = useRef(arrived && focus);
  useEffect(() => {
    if (takesFocus.current) heading.current?.focus();
  }, []);
  return (
    <>
      <h1 tabIndex={-1} ref={heading}>
        {title}
      </h1>
      <p className="soft intro">{children}</p>
    </>
  );
}
