-- expand
-- The text of a document that no model takes as it is, taken out once when it is uploaded, and what the document
-- consists of: {"kind": "page" | "sheet" | "slide", "count": n}. The text counts as stored, with the file.
alter table :schema.chat_attachment
  add column parts jsonb,
  add column text text,
  add column text_bytes int not null default 0;
