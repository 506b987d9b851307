//! Answers fit a reader's window: over it, ranked lists lose their tails, and say so.

use serde_json::Value;

/// How long an answer may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Most bytes of its JSON.
    pub bytes: usize,
    /// Members of the answer that are lists ranked by importance, whose tails may go.
    pub lists: &'static [&'static str],
}

impl Budget {
    /// Cuts the tails of the longest lists until `answer` fits; each cut list gets a sibling `<name>Total`
    /// with the number of items it had.
    pub(crate) fn fit(&self, answer: &mut Value) {
        let Some(over) = size(answer).checked_sub(self.bytes).filter(|over| *over > 0) else { return };
        let mut lists: Vec<_> = self.lists.iter().filter_map(|name| List::of(answer, name)).collect();
        // What "<name>Total" itself will take.
        let mut over = over + lists.iter().map(|list| list.name.len() + 16).sum::<usize>();
        while over > 0 {
            let Some(longest) = lists.iter_mut().max_by_key(|list| list.sizes.iter().sum::<usize>()) else { break };
            let Some(last) = longest.sizes.pop() else { break };
            over = over.saturating_sub(last);
        }
        for list in lists {
            if list.sizes.len() < list.total {
                if let Some(Value::Array(items)) = answer.get_mut(list.name) {
                    items.truncate(list.sizes.len());
                }
                answer[format!("{}Total", list.name)] = list.total.into();
            }
        }
    }
}

struct List {
    name: &'static str,
    total: usize,
    sizes: Vec<usize>,
}

impl List {
    fn of(answer: &Value, name: &'static str) -> Option<Self> {
        let sizes: Vec<_> = answer.get(name)?.as_array()?.iter().map(|item| size(item) + 1).collect();
        Some(Self { name, total: sizes.len(), sizes })
    }
}

fn size(value: &Value) -> usize {
    value.to_string().len()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const BUDGET: Budget = Budget { bytes: 1000, lists: &["alerts", "beds"] };

    #[test]
    fn short_answers_are_untouched() {
        let mut answer = json!({"alerts": vec!["a"; 20], "beds": []});
        BUDGET.fit(&mut answer);
        assert_eq!(answer["alerts"].as_array().unwrap().len(), 20);
        assert!(answer.get("alertsTotal").is_none());
    }

    #[test]
    fn the_tail_of_the_longest_list_goes_and_is_counted() {
        let mut answer = json!({"label": "x", "alerts": vec!["a".repeat(90); 25], "beds": vec!["b".repeat(90); 3]});
        BUDGET.fit(&mut answer);
        assert!(answer.to_string().len() <= 1000);
        assert_eq!((&answer["alertsTotal"], answer.get("bedsTotal")), (&json!(25), None));
        assert!(answer["alerts"].as_array().unwrap().len() >= 3);
        assert_eq!(answer["beds"].as_array().unwrap().len(), 3);
    }

    #[test]
    fn what_cannot_be_cut_stays() {
        let mut answer = json!({"text": "x".repeat(2000), "alerts": ["a"]});
        BUDGET.fit(&mut answer);
        assert_eq!((&answer["alerts"], &answer["alertsTotal"]), (&json!([]), &json!(1)));
    }
}
