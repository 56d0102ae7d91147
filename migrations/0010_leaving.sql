-- expand

-- The runs of one person, whatever their state: to hand them over, and to erase what they wrote.
create index job_of_person on :schema.job (created_by, id) where created_by is not null;
