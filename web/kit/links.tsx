// Router links with Mantine styles: typed targets, preloaded on intent, marked when current.
import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef, ReactElement } from 'react';

type Own<Props> = Props & Omit<ComponentPropsWithRef<'a'>, keyof Props>;

export const AnchorLink = createLink((props: Own<AnchorProps>): ReactElement => <Anchor {...props} />);

export const ButtonLink = createLink((props: Own<ButtonProps>): ReactElement => <Button component="a" {...props} />);

export const RailLink = createLink((props: ComponentPropsWithRef<'a'>): ReactElement => (
  <a {...props} className="rail-link">
    {props.children}
  </a>
));

export const ThreadLink = createLink((props: ComponentPropsWithRef<'a'>): ReactElement => (
  <a {...props} dir="auto" className="thread-link">
    {props.children}
  </a>
));

/** One of several pages that belong together, in a line that looks like tabs. */
export const TabLink = createLink((props: ComponentPropsWithRef<'a'>): ReactElement => (
  <a {...props} className="tab-link">
    {props.children}
  </a>
));

/** A link with several lines of text. */
export const FoundLink = createLink((props: ComponentPropsWithRef<'a'>): ReactElement => (
  <a {...props} className="found-link">
    {props.children}
  </a>
));
