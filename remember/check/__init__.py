"""What is no longer true: detectors report and never write, repair turns findings into changes."""
